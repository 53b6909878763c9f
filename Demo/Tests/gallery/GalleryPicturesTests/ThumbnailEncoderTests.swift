import ImageLoading
import Testing

@testable import GalleryPictures

@Suite struct `A thumbnail's file` {
    @Test func `is a JPEG of what is opaque`() throws {
        let picture = Picture.shades(384, 288)
        let thumbnail = try ThumbnailEncoder(picture).finish()
        #expect(thumbnail.type == "image/jpeg")
        #expect(try decoded(thumbnail.bytes).size == picture.size)
        #expect(thumbnail.bytes == (try picture.jpeg(quality: ThumbnailEncoder.qualities[0])))
        #expect(try decoded(thumbnail.bytes).ratio(to: picture) > 38)
    }

    @Test func `is a PNG of what isn't, and loses nothing`() throws {
        let picture = Picture.shades(120, 90, alpha: 128)
        let thumbnail = try ThumbnailEncoder(picture).finish()
        #expect(thumbnail.type == "image/png")
        #expect(try decoded(thumbnail.bytes).size == picture.size)
        #expect(try decoded(thumbnail.bytes) == picture)
    }

    @Test func `is a PNG for the sake of one pixel, wherever that is`() throws {
        for place in [0, 77, 64 * 48 - 1] {
            var pixels = Picture.shades(64, 48).pixels
            pixels.replaceSubrange(4 * place..<4 * place + 4, with: [0, 0, 0, 254])
            let picture = Picture(size: PixelSize(width: 64, height: 48), pixels: pixels)
            #expect(try ThumbnailEncoder(picture).finish().type == "image/png")
        }
    }

    @Test func `is a JPEG on white if a PNG would be too long`() throws {
        let picture = Picture.noise(300, 250, alpha: 60)
        #expect(try picture.png().count > 100_000)
        let thumbnail = try ThumbnailEncoder(picture, limit: 100_000).finish()
        #expect(thumbnail.type == "image/jpeg" && thumbnail.bytes.count <= 100_000)
        let pixels = try decoded(thumbnail.bytes).pixels
        let mean = pixels.reduce(0) { $0 + Int($1) } / pixels.count
        #expect(mean > 200)
    }

    @Test func `is of lower quality the less room it has, and then there is none`() throws {
        let picture = Picture.noise(200, 150)
        let lengths = try ThumbnailEncoder.qualities.map { try picture.jpeg(quality: $0).count }
        for (quality, length) in zip(ThumbnailEncoder.qualities, lengths) {
            let thumbnail = try ThumbnailEncoder(picture, limit: length).finish()
            #expect(thumbnail.bytes == (try picture.jpeg(quality: quality)))
        }
        #expect(throws: PictureError.Reason.self) {
            try ThumbnailEncoder(picture, limit: lengths[4] - 1).finish()
        }
    }

    @Test func `has room for noise of the largest size`() throws {
        let targetSize = ThumbnailKind.view.targetSize
        let picture = Picture.noise(targetSize.width, targetSize.height)
        let worst = try picture.jpeg(quality: ThumbnailEncoder.qualities.last ?? 1)
        #expect(worst.count < Thumbnail.byteLimit)
    }

    @Test func `is made in small steps`() throws {
        let encoder = ThumbnailEncoder(.shades(640, 480))
        var steps = 1
        while try encoder.advance() == nil { steps += 1 }
        // Looks at 51 rows a step, then writes 16 rows a step, both ends, and gives the result.
        #expect(steps == 10 + 30 + 3)
    }

    @Test func `is the same at steps after the last, and so is what went wrong`() throws {
        let encoder = ThumbnailEncoder(.shades(64, 48))
        let thumbnail = try encoder.finish()
        #expect(try encoder.advance()?.bytes == thumbnail.bytes)
        #expect(try encoder.finish().bytes == thumbnail.bytes)
        let noise = ThumbnailEncoder(.noise(200, 150), limit: 100)
        for _ in 0..<3 {
            #expect(throws: PictureError.Reason.self) { try noise.finish() }
        }
    }
}
