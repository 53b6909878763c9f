import GalleryFiles
import Glibc
import ImageLoading
import Testing

@testable import GalleryPictures

@Suite struct `A disk cache of thumbnails` {
    let folder: TestFolder
    let cache: ThumbnailDiskCache

    init() throws {
        folder = try TestFolder()
        cache = ThumbnailDiskCache(in: folder.cache)
    }

    private func key(_ number: Int, _ size: ThumbnailKind = .row) -> ThumbnailKey {
        ThumbnailKey(
            picture: PictureKey(id: PictureID(UInt64(number)), stamp: 7), size: size)
    }

    private func thumbnail(_ length: Int, _ format: Thumbnail.Format = .jpeg) -> Thumbnail {
        Thumbnail(
            (0..<length).map { UInt8(truncatingIfNeeded: $0) }, format,
            PixelSize(width: 1280, height: 17))
    }

    @Test func `gives back what was put there, and nothing else`() {
        #expect(cache.thumbnail(for: key(1)) == nil)
        cache.store(thumbnail(100), for: key(1))
        cache.store(thumbnail(90_000, .png), for: key(1, .view))
        #expect(cache.thumbnail(for: key(1)) == thumbnail(100))
        #expect(cache.thumbnail(for: key(1, .view)) == thumbnail(90_000, .png))
        #expect(cache.thumbnail(for: key(2)) == nil)
        cache.store(thumbnail(Thumbnail.byteLimit), for: key(1))
        let other = ThumbnailDiskCache(in: folder.cache)
        #expect(other.thumbnail(for: key(1)) == thumbnail(Thumbnail.byteLimit))
        #expect(folder.entries == [key(1), key(1, .view)].map(cache.layout.path).sorted())
    }

    @Test func `takes another's entry under a name for absent`() {
        for other in [key(2), key(1, .view)] {
            cache.store(thumbnail(60), for: key(1))
            let paths = [key(1), other].map { "\(folder.cache)/\(cache.layout.path(of: $0))" }
            unsafe rename(paths[0], paths[1])
            #expect(cache.thumbnail(for: other) == nil)
        }
        #expect(folder.entries.isEmpty)
    }

    @Test(arguments: [[], [1, 2, 3, 4], [0, 1, 1, 1, 1], [3, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1]])
    func `gives nothing of an entry that says nothing sensible of it`(metadata: [UInt8]) {
        cache.store([1, 2, 3], metadata: metadata, for: key(1))
        #expect(cache.thumbnail(for: key(1)) == nil)
    }
}
