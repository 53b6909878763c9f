import ImageLoading
import Testing

@Suite struct `PNG decoding` {
    @Test func `tells which rows are opaque`() {
        var pixels = [UInt8](repeating: 255, count: 4 * 3 * 5)
        pixels[4 * (3 * 2 + 2) + 3] = 254
        let picture = Picture(size: PixelSize(width: 3, height: 5), pixels: pixels)
        #expect(picture.isOpaque(inRows: 0..<2) && picture.isOpaque(inRows: 3..<5))
        #expect(!picture.isOpaque(inRows: 2..<3) && !picture.isOpaque(inRows: 0..<5))
        #expect(picture.isOpaque(inRows: 2..<2))
    }

    @Test func `reads grey with and without alpha`() throws {
        let sample = Sample(20, 20)
        let grey = try decode(sample.png(sample.rows { [$0[1]] }, type: 0))
        let both = try decode(sample.png(sample.rows { [$0[1], $0[3]] }, type: 4))
        let value = sample.pixel(15, 4)[1]
        let alpha = sample.pixel(15, 4)[3]
        let faded = (value * alpha + 127) / 255
        #expect(grey[15, 4] == [value, value, value, 255])
        #expect(both[15, 4] == [faded, faded, faded, alpha])
    }

    @Test func `spreads one bit over the whole range`() throws {
        let picture = try decode(Sample(8, 2).png([0b1010_0000, 0b0000_0001], type: 0, depth: 1))
        #expect(picture[0, 0] == [255, 255, 255, 255])
        #expect(picture[1, 0] == [0, 0, 0, 255])
        #expect(picture[7, 1] == [255, 255, 255, 255])
    }

    @Test func `looks colours up in a palette`() throws {
        let bytes = Sample(4, 1).png([0, 10, 100, 255], type: 3, hasTransparent: true)
        let picture = try decode(bytes)
        #expect(picture[0, 0] == [0, 0, 0, 0])
        #expect(picture[1, 0] == [10, 245, 5, 255])
        #expect(picture[3, 0] == [255, 0, 127, 255])
    }

    @Test func `takes one colour as transparent`() throws {
        let bytes = Sample(2, 1).png([1, 1, 1, 1, 1, 2], type: 2, hasTransparent: true)
        #expect(try Array(decode(bytes).pixels) == [0, 0, 0, 0, 1, 1, 2, 255])
    }
}
