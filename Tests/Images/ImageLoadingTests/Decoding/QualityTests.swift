import TestSupport
import Testing

@testable import ImageLoading

@Suite struct `A picture that is scaled while decoding` {
    @Test func `is near to one that is decoded whole and averaged`() throws {
        // About sixteen to one, as 12 megapixels to 256 pixels, on a smaller picture.
        let photo = Photo(seed: 1, width: 1000, height: 750)
        let bytes = photo.sample.jpeg()
        let targetSize = PixelSize(width: 64, height: 64)
        let small = try decode(bytes, fitting: targetSize)
        let model = averaged(try decode(bytes), to: small.size)
        #expect(small.ratio(to: model) >= 44)
        // Taken as flat, the means of eight by eight pixels would be further from it.
        let means = try decode(bytes, fitting: PixelSize(width: 125, height: 125))
        let flat = averaged(means, to: small.size)
        #expect(small.ratio(to: model) >= flat.ratio(to: model) + 1)
    }

    /// The exact averages, which other tests compare with their definition.
    private func averaged(_ picture: Picture, to target: PixelSize) -> Picture {
        var resizer = RowResizer(from: picture.size, to: target)
        let length = 4 * picture.size.width
        for start in stride(from: 0, to: picture.pixels.count, by: length) {
            let row = Array(picture.pixels[start..<start + length])
            resizer.add(row.span)
        }
        return resizer.picture()
    }
}
