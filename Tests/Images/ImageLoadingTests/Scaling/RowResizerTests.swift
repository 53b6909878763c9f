import TestSupport
import Testing

@testable import ImageLoading

@Suite struct `A row resizer` {
    @Test(arguments: seeds(0..<200))
    func `averages areas as the plain definition does`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let source = Picture.noise(
            .random(in: 1...60, using: &random), .random(in: 1...60, using: &random), seed: seed)
        let target = PixelSize(
            width: .random(in: 1...source.size.width, using: &random),
            height: .random(in: 1...source.size.height, using: &random))
        #expect(averaged(source, to: target) == source.boxFiltered(to: target))
    }

    @Test func `has room for the largest sums`() {
        let size = PixelSize(width: 2, height: 65_535)
        let white = Picture(
            size: size, pixels: [UInt8](repeating: 255, count: 4 * size.width * size.height))
        let dot = averaged(white, to: PixelSize(width: 1, height: 1))
        #expect(Array(dot.pixels) == [255, 255, 255, 255])
    }

    @Test func `makes of a picture that is scaled while decoding what it makes of a whole one`()
        throws
    {
        // About sixteen to one, as 12 megapixels to 256 pixels, on a smaller picture.
        let photo = Photo(seed: 1, width: 1000, height: 750)
        let bytes = photo.sample.jpeg()
        let small = try decode(bytes, fitting: PixelSize(width: 64, height: 64))
        let model = averaged(try decode(bytes), to: small.size)
        #expect(small.ratio(to: model) >= 44)
        // Taken as flat, the means of eight by eight pixels would be further from it.
        let means = try decode(bytes, fitting: PixelSize(width: 125, height: 125))
        let flat = averaged(means, to: small.size)
        #expect(small.ratio(to: model) >= flat.ratio(to: model) + 1)
    }

    private func averaged(_ source: Picture, to target: PixelSize) -> Picture {
        var resizer = RowResizer(from: source.size, to: target)
        let length = 4 * source.size.width
        for y in 0..<source.size.height {
            resizer.add(source.pixels.span.extracting(y * length..<(y + 1) * length))
        }
        #expect(resizer.isComplete)
        return Picture(size: resizer.target, pixels: resizer.pixels)
    }
}
