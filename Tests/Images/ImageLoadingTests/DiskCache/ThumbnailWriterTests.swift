import Glibc
import Testing

@testable import ImageLoading

@Suite struct `A thumbnail being written` {
    let folder = CacheFolder()
    let picture = Picture.noise(256, 64)

    private func writer(_ cache: ThumbnailCache, of file: String) throws -> any SteppedWork<
        Void, any Error
    > {
        let stamp = try #require(FileStamp(ofFile: file))
        let header = PictureHeader(
            format: .png, size: PixelSize(width: 2048, height: 512),
            fileBytes: 1, channels: 3, bytesPerSample: 1)
        let made = MadePicture(value: picture, picture: picture, header: header, stamp: stamp)
        return try #require(
            cache.writer(of: made, for: PictureRequest(file, fitting: picture.size)))
    }

    @Test func `leaves nothing behind, after whatever step it is dropped`() throws {
        let file = folder.write("a.jpg", [1])
        var isDone = false
        var steps = 0
        while !isDone {
            steps += 1
            let writer = try writer(folder.cache(), of: file)
            if steps == 1 { #expect(unsafe access(folder.root, F_OK) != 0) }
            for _ in 0..<steps where !isDone { isDone = try writer.advance() != nil }
            let temporary = folder.entries.filter { $0.hasSuffix(".tmp") }
            #expect(temporary.count <= 1)
        }
        // One to create the file, one for its head, one for 16 rows each, then the end, the name,
        // and the maintenance of five folders.
        #expect(steps > 1 + 1 + 4 + 1 + 1)
        #expect(folder.entries.count == 1)
        #expect(folder.entries[0].hasPrefix("large/"))
    }

    @Test func `does not appear if its file has changed or gone meanwhile`() throws {
        for isGone in [false, true] {
            let file = folder.write("a.jpg", [1])
            let writer = try writer(folder.cache(), of: file)
            for _ in 0..<5 { #expect(try writer.advance() == nil) }
            if isGone {
                unsafe unlink(file)
            } else {
                folder.write("a.jpg", [2], at: CacheFolder.written + 1)
            }
            _ = try writer.finish()
            #expect(folder.entries == [])
        }
    }
}
