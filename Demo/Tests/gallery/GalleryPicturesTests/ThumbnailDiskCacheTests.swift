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

    private func find(_ key: ThumbnailKey) -> [UInt8]? {
        guard case .value(let found) = ThumbnailRecipe(cache: cache).find(key, nil) else {
            return nil
        }
        return found.bytes
    }

    private func store(_ bytes: [UInt8], for key: ThumbnailKey) throws {
        let nothing = Picture(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 0])
        let made = MadePicture(
            value: Thumbnail(bytes: bytes), picture: nothing, header: nil, stamp: nil)
        _ = try ThumbnailRecipe(cache: cache).writer(of: made, for: key)?.finish()
    }

    @Test func `gives back what was put there, and nothing else`() throws {
        let longest = [UInt8](repeating: 7, count: Thumbnail.byteLimit)
        #expect(find(key(1)) == nil)
        try store([1, 2, 3], for: key(1))
        try store(longest, for: key(1, .view))
        #expect(find(key(1)) == [1, 2, 3] && find(key(1, .view)) == longest)
        #expect(find(key(2)) == nil)
        #expect(folder.entries == [key(1), key(1, .view)].map(cache.layout.path).sorted())
    }

    @Test func `takes another's entry under a name for absent`() throws {
        for other in [key(2), key(1, .view)] {
            try store([1], for: key(1))
            let paths = [key(1), other].map { "\(folder.cache)/\(cache.layout.path(of: $0))" }
            unsafe rename(paths[0], paths[1])
            #expect(find(other) == nil)
        }
        #expect(folder.entries.isEmpty)
    }
}
