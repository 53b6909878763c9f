import ImageLoading
import Testing

@Suite struct `WebP decoding` {
    @Test func `puts a small frame at its place on a canvas that is transparent`() throws {
        let sample = Sample(80, 60)
        let still = sample.webp()
        let canvas = PixelSize(width: 100, height: 90)
        let bytes = webPAnimation(still, of: sample.size, on: canvas, x: 12, y: 20)
        let picture = try decode(bytes)
        let alone = try decode(still)
        #expect(picture.size == canvas)
        #expect(picture[11, 50] == .zero && picture[92, 50] == .zero)
        #expect(picture[50, 19] == .zero && picture[50, 80] == .zero)
        #expect(picture[12, 20] == alone[0, 0] && picture[91, 79] == alone[79, 59])
        let small = try decode(bytes, fitting: PixelSize(width: 50, height: 45))
        #expect(small == picture.boxFiltered(to: PixelSize(width: 50, height: 45)))
    }
}
