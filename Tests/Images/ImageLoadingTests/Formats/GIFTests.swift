import ImageLoading
import TestSupport
import Testing

@Suite struct `GIF decoding` {
    @Test(arguments: seeds(0..<60))
    func `unpacks whatever was packed`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let size = PixelSize(
            width: .random(in: 1...150, using: &random),
            height: .random(in: 1...(seed % 2 == 0 ? 9 : 150), using: &random))
        let colors = 1 << Int.random(in: 1...8, using: &random)
        // Runs make long strings, which cross the ends of lines.
        let longest = Int.random(in: 1...400, using: &random)
        var indices: [UInt8] = []
        while indices.count < size.width * size.height {
            let value = UInt8(Int.random(in: 0..<colors, using: &random))
            indices += [UInt8](repeating: value, count: .random(in: 1...longest, using: &random))
        }
        indices.removeLast(indices.count - size.width * size.height)
        let palette = (0..<colors).map { [UInt8($0), UInt8(255 - $0), UInt8($0 / 2)] }
        var gif = GIF(size: size, indices: indices, palette: palette)
        gif.isInterlaced = .random(using: &random)
        gif.isPaletteLocal = .random(using: &random)
        gif.clears = .random(using: &random)
        var pixels: [UInt8] = []
        for index in indices { pixels += palette[Int(index)] + [255] }
        #expect(try decode(gif.encoded()) == Picture(size: size, pixels: pixels))
    }

    @Test(arguments: [false, true])
    func `puts a frame at its place, and enlarges the screen to it`(
        isInterlaced: Bool
    ) throws {
        var gif = GIF(Sample(80, 60), isInterlaced: isInterlaced)
        let alone = try decode(gif.encoded())
        for (width, height, x, y) in [
            (0, 0, 0, 0), (1, 1, 0, 0), (70, 100, 10, 50), (200, 20, 0, 0),
        ] {
            gif.screen = PixelSize(width: width, height: height)
            (gif.x, gif.y) = (x, y)
            let size = PixelSize(width: max(width, x + 80), height: max(height, y + 60))
            let header = try PictureHeader.read(.bytes(gif.encoded()), named: "a")
            #expect(header.size == size)
            let picture = try decode(gif.encoded())
            #expect(picture.size == size)
            #expect(picture[x, y] == alone[0, 0] && picture[x + 79, y + 59] == alone[79, 59])
        }
        gif.screen = PixelSize(width: 100, height: 100)
        (gif.x, gif.y) = (10, 10)
        let picture = try decode(gif.encoded())
        #expect(picture[9, 60] == .zero && picture[20, 9] == .zero && picture[10, 80] == .zero)
    }

    @Test func `leaves out the transparent colour, and those that the palette lacks`() throws {
        var gif = GIF(
            size: PixelSize(width: 4, height: 1), indices: [0, 1, 2, 3],
            palette: [[10, 20, 30], [40, 50, 60], [70, 80, 90], [1, 2, 3]])
        gif.transparent = 1
        let pixels: [UInt8] = [10, 20, 30, 255, 0, 0, 0, 0, 70, 80, 90, 255, 1, 2, 3, 255]
        #expect(try Array(decode(gif.encoded()).pixels) == pixels)
        var bytes = gif.encoded()
        // A palette of two colours in place of four; values keep their size.
        bytes[10] = 0x80
        bytes.removeSubrange(19..<25)
        #expect(
            try Array(decode(bytes).pixels)
                == Array(pixels[..<8]) + [UInt8](repeating: 0, count: 8))
    }

    @Test func `is grey without a palette`() throws {
        let gif = GIF(
            size: PixelSize(width: 2, height: 1), indices: [7, 200], palette: [])
        #expect(try Array(decode(gif.encoded()).pixels) == [7, 7, 7, 255, 200, 200, 200, 255])
    }
}
