import Foundation
import ImageLoading
import LullTesting
import TestSupport
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
            var pixels = Array(Picture.shades(64, 48).pixels)
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

    @Test(arguments: [(384, 288), (120, 288), (384, 3), (20, 10), (1, 1)])
    func `has a tiny JPEG in it if it is one`(width: Int, height: Int) throws {
        let picture = Picture.shades(width, height)
        let thumbnail = try ThumbnailEncoder(picture, hasPreview: true).finish()
        let text = try #require(thumbnail.preview)
        let bytes = try #require(Array(base64: text))
        #expect(text.utf8.count < 400)
        // As pages do it: the size goes where the header has that of a single pixel.
        var file = try #require(Array(base64: Thumbnail.previewHead))
        let place = try #require(
            file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
        file.replaceSubrange(place + 5..<place + 9, with: [0, bytes[1], 0, bytes[0]])
        let tiny = try decoded(file + bytes[2...] + [0xFF, 0xD9])
        #expect(tiny.size == picture.size.fitted(in: PixelSize(width: 32, height: 32)))
        let expected = Picture.shades(tiny.size.width, tiny.size.height)
        #expect(height < 20 || tiny.ratio(to: expected) > 25)
        // The thumbnail itself is the same.
        let plain = try ThumbnailEncoder(picture).finish()
        #expect(plain.preview == nil)
        #expect(try decoded(thumbnail.bytes) == decoded(plain.bytes))
        #expect(thumbnail.bytes.count == plain.bytes.count + text.utf8.count + 4)
    }

    @Test func `has a tiny PNG in it if something is seen through it`() throws {
        let picture = Picture.shades(120, 90, alpha: 128)
        let thumbnail = try ThumbnailEncoder(picture, hasPreview: true).finish()
        #expect(thumbnail.type == "image/png")
        #expect(try decoded(thumbnail.bytes) == picture)
        let file = try #require(thumbnail.preview.flatMap { Array(base64: $0) })
        let tiny = try decoded(file)
        #expect(tiny.size == PixelSize(width: 16, height: 12))
        #expect(tiny.ratio(to: .shades(16, 12, alpha: 128)) > 25)
    }

    @Test func `has no preview that would be long, or leave no room`() throws {
        for alpha in [255, 254] as [UInt8] {
            let noise = try ThumbnailEncoder(.noise(384, 288, alpha: alpha), hasPreview: true)
                .finish()
            #expect((noise.preview?.utf8.count ?? 0) <= ThumbnailPreview.mostBytes)
        }
        let picture = Picture.shades(384, 288)
        let plain = try ThumbnailEncoder(picture).finish()
        let limit = plain.bytes.count + 10
        let full = try ThumbnailEncoder(picture, limit: limit, hasPreview: true).finish()
        #expect(full.bytes == plain.bytes)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `of which anything is broken gives a short preview or none`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let isOpaque = Bool.random(using: &random)
        let picture = Picture.shades(40, 30, alpha: isOpaque ? 255 : 100)
        var bytes = try ThumbnailEncoder(picture, hasPreview: true).finish().bytes
        for _ in 0..<3 {
            bytes[Int.random(in: 0..<60, using: &random)] = .random(in: 0...255, using: &random)
        }
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
        let preview = Thumbnail(bytes: bytes).preview
        #expect((preview?.utf8.count ?? 0) <= 4 * ThumbnailPreview.mostBytes)
    }
}

extension [UInt8] {
    /// The bytes of a base64 text; nil if it is none.
    fileprivate init?(base64 text: String) {
        guard let data = Data(base64Encoded: text) else { return nil }
        self.init(data)
    }
}
