import ImageLoading
import TestSupport
import Testing

@Suite struct `GIF decoding` {
    @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 61], [false, true])
    func `gives the colours that were stored`(height: Int, isInterlaced: Bool) throws {
        let sample = Sample(97, height)
        let bytes = GIF(sample, isInterlaced: isInterlaced).encoded()
        #expect(try decode(bytes) == sample.picture(hasAlpha: false))
    }

    @Test(arguments: seeds(0..<60))
    func `unpacks whatever was packed`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let size = PixelSize(
            width: .random(in: 1...150, using: &random),
            height: .random(in: 1...150, using: &random))
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

    @Test(arguments: [60, 31, 8, 1])
    func `shrinks exactly`(side: Int) throws {
        let sample = Sample(61, 47)
        let targetSize = PixelSize(width: side, height: side)
        let picture = try decode(GIF(sample).encoded(), fitting: targetSize)
        let target = sample.size.fitted(in: targetSize)
        #expect(picture == sample.picture(hasAlpha: false).boxFiltered(to: target))
    }

    @Test(arguments: [false, true])
    func `puts a frame at its place, and enlarges the screen to it`(
        isInterlaced: Bool
    ) throws {
        var gif = GIF(Sample(80, 60), isInterlaced: isInterlaced)
        let alone = try decode(gif.encoded())
        for (width, height, x, y) in [(1, 1, 0, 0), (70, 100, 10, 50), (200, 20, 0, 0)] {
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

    @Test func `is as large as its frame if the screen has no size`() throws {
        var gif = GIF(Sample(40, 30))
        gif.screen = PixelSize(width: 0, height: 0)
        #expect(try decode(gif.encoded()) == Sample(40, 30).picture(hasAlpha: false))
    }

    @Test func `leaves out the transparent colour, and those that the palette lacks`() throws {
        var gif = GIF(
            size: PixelSize(width: 4, height: 1), indices: [0, 1, 2, 3],
            palette: [[10, 20, 30], [40, 50, 60], [70, 80, 90], [1, 2, 3]])
        gif.transparent = 1
        let pixels: [UInt8] = [10, 20, 30, 255, 0, 0, 0, 0, 70, 80, 90, 255, 1, 2, 3, 255]
        #expect(try decode(gif.encoded()).pixels == pixels)
        var bytes = gif.encoded()
        // A palette of two colours in place of four; values keep their size.
        bytes[10] = 0x80
        bytes.removeSubrange(19..<25)
        #expect(try decode(bytes).pixels == Array(pixels[..<8]) + [UInt8](repeating: 0, count: 8))
    }

    @Test func `is grey without a palette`() throws {
        let gif = GIF(
            size: PixelSize(width: 2, height: 1), indices: [7, 200], palette: [])
        #expect(try decode(gif.encoded()).pixels == [7, 7, 7, 255, 200, 200, 200, 255])
    }

    @Test func `steps over comments, up to a bound`() throws {
        var gif = GIF(Sample(30, 30))
        let piece: [UInt8] = [2, 65, 65]
        gif.extensions = [0x21, 0xFE] + [[UInt8]](repeating: piece, count: 8000).joined() + [0]
        #expect(try decode(gif.encoded()) == Sample(30, 30).picture(hasAlpha: false))
        gif.extensions = [0x21, 0xFE] + [[UInt8]](repeating: piece, count: 8200).joined() + [0]
        #expect(failure(gif.encoded()) == .corrupt("too much before the GIF picture"))
    }

    @Test func `refuses data that break the rules`() {
        let screen: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0]
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0]
        #expect(failure(screen + [0x3B]) == .corrupt("a GIF without a picture"))
        #expect(
            failure(screen + [0x2C, 0, 0, 0, 0, 0, 0, 30, 0, 0])
                == .corrupt("a GIF frame of 0x30 pixels"))
        #expect(failure(screen + [0x77]) == .corrupt("GIF block 77"))
        #expect(failure(screen + frame + [12, 1, 0, 0]) == .corrupt("GIF values of 12 bits"))
        // Codes of three bits: 6 before any other, and 7 after the value 0.
        #expect(
            failure(screen + frame + [2, 1, 6, 0]) == .corrupt("GIF data that begin in the middle"))
        let wide: [UInt8] = [0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0]
        #expect(
            failure(screen + wide + [2, 1, 0b111_000, 0])
                == .corrupt("a GIF code that is not defined yet"))
        #expect(
            failure(screen + frame + [2, 1, 5, 0]) == .truncated(rowsDecoded: 0, of: 1))
    }

    @Test func `comes to an end in data without values`() throws {
        // A hundred thousand times "begin anew" before the only pixel.
        let screen: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0]
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2]
        // Three bytes hold eight codes of three bits: 4 each.
        let three: [UInt8] = [0x24, 0x49, 0x92]
        let block: [UInt8] = [255] + [[UInt8]](repeating: three, count: 85).joined()
        let blocks = [[UInt8]](repeating: block, count: 150).joined()
        let bytes: [UInt8] = screen + frame + blocks + [1, 0, 0]
        let file = TemporaryFile(bytes)
        let decoder = PictureJob(path: file.path, fitting: .ample)
        var steps = 0
        var picture: Picture?
        while picture == nil {
            steps += 1
            if case .done(let result) = try decoder.step() { picture = result }
        }
        #expect(picture?.pixels == [0, 0, 0, 255])
        #expect(steps > 20)
    }

    @Test func `holds an interlaced picture to the limit of decoder memory`() {
        let limits = PictureLimits(decoderMemory: 4000)
        #expect(
            failure(GIF(Sample(64, 64), isInterlaced: true).encoded(), limits: limits)
                == .tooLarge(.decoderMemory, found: 64 * 64, limit: 4000))
        #expect(failure(GIF(Sample(64, 64)).encoded(), limits: limits) == nil)
    }
}
