import Glibc
import TestSupport

@testable import ImageLoading

/// A disk cache of some layout whose keys are numbers, in a folder that is gone with this object.
final class TestedCache {
    enum Layout: CaseIterable {
        case checked
        case thumbnails
    }

    static let start = 1_700_000_000

    let files = CacheFolder()
    let time = TestTime(start)
    let layout: Layout
    /// The part that is the same in all layouts.
    let cache: any AnyDiskCache
    private let checked: DiskCache<CheckedLayout<String>>
    private let thumbnails: DiskCache<ThumbnailLayout>

    /// A cache in its own folder, or another's.
    init(_ layout: Layout, _ bound: DiskCacheBound = .service, in folder: String? = nil) {
        self.layout = layout
        let folder = folder ?? files.root
        let clock: @Sendable () -> Duration = { [time] in time.now }
        checked = DiskCache(
            in: folder, layout: CheckedLayout(limit: 1 << 20), bound: bound, now: clock)
        thumbnails = DiskCache(in: folder, layout: ThumbnailLayout(), bound: bound, now: clock)
        cache =
            switch layout {
            case .checked: checked
            case .thumbnails: thumbnails
            }
    }

    private static func key(_ number: Int) -> ThumbnailLayout.Key {
        let folders = ThumbnailLayout().folders
        return ThumbnailLayout.Key(
            folder: folders[number % folders.count],
            name: FileURI(path: "/\(number)".utf8).thumbnailName)
    }

    /// The path of an entry in the cache's folder.
    func name(_ number: Int) -> String {
        switch layout {
        case .checked: checked.layout.path(of: "\(number)")
        case .thumbnails: thumbnails.layout.path(of: Self.key(number))
        }
    }

    func path(_ number: Int) -> String { "\(files.root)/\(name(number))" }

    func writer(_ number: Int) throws(DiskCacheError) -> DiskCacheWriter {
        switch layout {
        case .checked: try checked.writer(for: "\(number)")
        case .thumbnails: try thumbnails.writer(for: Self.key(number))
        }
    }

    func store(_ bytes: [UInt8], _ number: Int) {
        switch layout {
        case .checked: checked.store(bytes, metadata: [7], for: "\(number)")
        case .thumbnails:
            guard var writer = try? writer(number), (try? writer.append(bytes)) != nil else {
                return
            }
            try? writer.commit()
        }
    }

    func find(_ number: Int) -> [UInt8]? {
        switch layout {
        case .checked: checked.find("\(number)")?.payload
        case .thumbnails: thumbnails.bytes(of: Self.key(number), upTo: 1 << 20)
        }
    }

    func remove(_ number: Int) {
        switch layout {
        case .checked: checked.remove("\(number)")
        case .thumbnails: thumbnails.remove(Self.key(number))
        }
    }

    /// Does the sweep that is due.
    func sweepIfDue() {
        while !cache.stepSweep() {}
    }
}

/// A disk cache of any layout.
protocol AnyDiskCache: Sendable {
    var failure: DiskCacheFailure? { get }
    var failures: Int { get }
    func check()
    func sweep() -> DiskCacheSweep
    func stepSweep() -> Bool
}

extension DiskCache: AnyDiskCache {}
