import GalleryFiles
import IdleLoop
import ImageLoading
import Testing

@testable import GalleryPictures

@Suite struct `A thumbnail of a photo` {
    private static let photos =
        #filePath.split(separator: "/").dropLast(4).reduce("") {
            "\($0)/\($1)"
        } + "/photos"

    @Test func `shows what a source of pictures makes of it`() throws {
        let loop = try MainLoop(clock: .virtual(VirtualTime()))
        defer { loop.close() }
        let folder = try PictureFolder(Self.photos)
        // Nothing is optimized here, and sanitizers make it slower still.
        let limits = PictureLimits(fileBytes: 32 << 20, time: .seconds(600))
        var path = FilePath.root
        let source = ThumbnailSource(on: loop, folder: folder, limits: limits) { _ in path }
        defer { source.close() }
        let pictures = PictureSource(on: loop, limits: limits)
        defer { pictures.close() }
        // All take long when nothing is optimized; among these are both formats and all shapes.
        let names = stride(from: 1, to: 24, by: 3).map {
            TestFolder.names(in: Self.photos).sorted()[$0]
        }
        for name in names {
            let picture = try pictures.value(
                of: PictureRequest(
                    "\(Self.photos)/\(name)", fitting: ThumbnailKind.row.targetSize))
            path = TestFolder.name(name)
            let stamp = try folder.open(path).facts.stamp
            let key = ThumbnailKey(
                picture: PictureKey(id: PictureID(of: path), stamp: stamp), size: .row)
            let thumbnail = try source.value(of: key)
            #expect(thumbnail.bytes.count <= Thumbnail.byteLimit)
            let expected = try ThumbnailEncoder(picture).finish()
            #expect(try decoded(thumbnail.bytes) == decoded(expected.bytes), "\(name)")
            #expect(try decoded(thumbnail.bytes).ratio(to: picture) > 30, "\(name)")
        }
    }
}
