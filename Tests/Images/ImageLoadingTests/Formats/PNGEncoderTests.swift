import ImageLoading
import TestSupport
import Testing

@Suite struct `A PNG that was written` {
    @Test(arguments: seeds(1...3))
    func `gives back the very picture, whatever its size and alpha`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for side in [1, 2, 3, 63, 64, 65, 130] {
            let other = Int.random(in: 1...130, using: &random)
            for (width, height) in [(side, other), (other, side)] {
                let picture = Picture.noise(width, height, seed: seed)
                #expect(try decode(encoded(picture)) == picture, "\(width)x\(height)")
            }
        }
    }

    @Test func `holds every colour under every alpha`() throws {
        for alpha in 0...255 {
            let pixels = (0...alpha).flatMap { [$0, alpha - $0, alpha, alpha].map { UInt8($0) } }
            let picture = Picture(size: PixelSize(width: alpha + 1, height: 1), pixels: pixels)
            #expect(try decode(encoded(picture)) == picture)
        }
    }

    @Test func `takes a colour brighter than its alpha as full`() throws {
        let size = PixelSize(width: 2, height: 1)
        let wrong = Picture(size: size, pixels: [255, 10, 0, 10, 9, 9, 9, 0])
        let right = Picture(size: size, pixels: [10, 10, 0, 10, 0, 0, 0, 0])
        #expect(try decode(encoded(wrong)) == right)
    }

    @Test func `comes in small pieces, whatever the picture`() throws {
        let pictures: [Picture] = [
            .noise(1024, 64), .plain(1024, 1024), .noise(1, 3000), .noise(3000, 1),
        ]
        for picture in pictures {
            var encoder = try PNGEncoder(picture)
            var (steps, longest) = (0, 0)
            var isDone = false
            while !isDone {
                var piece: [UInt8] = []
                isDone = encoder.step(into: &piece)
                steps += 1
                longest = max(longest, piece.count)
            }
            let rows = max(1, 4096 / picture.size.width)
            #expect(steps == 2 + (picture.size.height + rows - 1) / rows)
            // zlib holds back up to 16,384 symbols, and gives them all at once.
            #expect(longest < 80_000)
        }
    }

    @Test func `is one of 8 bits, red to alpha, not interlaced, with its texts in front`() throws {
        let bytes = try encoded(.noise(3, 2), [("Software", "Lull"), ("A", "")])
        #expect(
            bytes[8..<29].elementsEqual(
                [0, 0, 0, 13] + "IHDR".utf8 + [0, 0, 0, 3, 0, 0, 0, 2, 8, 6, 0, 0, 0]))
        #expect(bytes[33..<54].elementsEqual([0, 0, 0, 13] + "tEXtSoftware\0Lull".utf8))
        #expect(bytes[58..<68].elementsEqual([0, 0, 0, 2] + "tEXtA\0".utf8))
        #expect(bytes[76..<80].elementsEqual("IDAT".utf8))
        #expect(bytes.suffix(12) == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
    }
}

/// A picture as a PNG.
private func encoded(
    _ picture: Picture, _ texts: [(keyword: String, text: String)] = []
) throws -> [UInt8] {
    var encoder = try PNGEncoder(picture, texts: texts)
    var file: [UInt8] = []
    while !encoder.step(into: &file) {}
    return file
}
