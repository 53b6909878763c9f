import TestSupport

@testable import ImageLoading

/// A disk cache whose keys are numbers, in a folder that is gone with this object.
///
/// Its layout is that of thumbnails, which has several folders.
final class TestedCache {
    static let start = 1_700_000_000

    let files = CacheFolder()
    let time = TestTime(start)
    let cache: DiskCache<ThumbnailLayout>

    /// A cache in its own folder, or another's.
    init(_ bound: DiskCacheBound = .service, in folder: String? = nil) {
        cache = DiskCache(in: folder ?? files.root, layout: ThumbnailLayout(), bound: bound) {
            [time] in time.now
        }
    }

    private func key(_ number: Int) -> ThumbnailLayout.Key {
        ThumbnailLayout.Key(
            folder: cache.layout.folders[number % cache.layout.folders.count],
            name: FileURI(path: "/\(number)".utf8).thumbnailName)
    }

    /// The path of an entry in the cache's folder.
    func name(_ number: Int) -> String { cache.layout.path(of: key(number)) }

    func path(_ number: Int) -> String { "\(files.root)/\(name(number))" }

    func writer(_ number: Int) throws(DiskCacheError) -> DiskCacheWriter {
        try cache.writer(for: key(number))
    }

    func store(_ bytes: [UInt8], _ number: Int) {
        guard var writer = try? writer(number), (try? writer.append(bytes)) != nil else { return }
        try? writer.commit()
    }

    func find(_ number: Int) -> [UInt8]? {
        guard let entry = try? cache.open(key(number)) else { return nil }
        return entry.bytes(entry.byteCount, at: 0)
    }

    func remove(_ number: Int) { cache.remove(key(number)) }
}
