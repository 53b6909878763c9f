import TestSupport

@testable import ImageLoading

/// A disk cache whose entries have numbers, in a folder that is gone with this object.
///
/// Its layout is that of thumbnails, which has several folders.
final class TestedCache {
    static let start = 1_700_000_000

    let files = CacheFolder()
    let time = TestTime(start)
    let cache: DiskCache

    /// A cache in its own folder, or another's.
    init(_ bound: DiskCacheBound = .service, in folder: String? = nil) {
        let thumbnails = ThumbnailCache(in: folder ?? files.root, bound: bound) { [time] in time.now
        }
        cache = thumbnails.cache
    }

    /// The path of an entry in the cache's folder.
    func name(_ number: Int) -> String {
        let folder = cache.folders[number % cache.folders.count]
        return "\(folder)/\(FileURI(path: "/\(number)".utf8).thumbnailName)"
    }

    func path(_ number: Int) -> String { "\(files.root)/\(name(number))" }

    func writer(_ number: Int) throws(DiskCacheError) -> DiskCacheWriter {
        try cache.writer(at: name(number))
    }

    func store(_ bytes: [UInt8], _ number: Int) {
        guard var writer = try? writer(number), (try? writer.append(bytes)) != nil else { return }
        try? writer.commit()
    }

    func find(_ number: Int) -> [UInt8]? {
        guard let entry = try? cache.open(name(number)) else { return nil }
        return try? entry.bytes(at: 0, count: entry.byteCount)
    }

    func remove(_ number: Int) { cache.remove(at: name(number)) }
}
