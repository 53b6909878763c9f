import ImageLoading
import TestSupport
import Testing

@Suite struct `WebP decoding` {
    @Test(arguments: [false, true])
    func `gives the colours that were stored with loss, about`(hasAlpha: Bool) throws {
        let sample = Sample(97, 61)
        let picture = try decode(sample.webp(hasAlpha: hasAlpha))
        let expected = sample.picture(hasAlpha: hasAlpha)
        #expect(picture.size == sample.size)
        for (found, wanted) in zip(picture.quarters, expected.quarters) {
            #expect((0..<4).allSatisfy { abs(found[$0] - wanted[$0]) <= 5 })
        }
    }

    @Test(arguments: [false, true])
    func `gives what was stored without loss, rounded down`(hasAlpha: Bool) throws {
        let sample = Sample(97, 61)
        let picture = try decode(sample.webp(lossless: true, hasAlpha: hasAlpha))
        let difference = picture.difference(to: sample.picture(hasAlpha: hasAlpha))
        #expect(difference <= (hasAlpha ? 1 : 0))
    }

    @Test(arguments: [60, 48, 31, 8, 1], [false, true])
    func `scales while decoding to about what scaling afterwards gives`(
        side: Int, lossless: Bool
    ) throws {
        let bytes = Sample(200, 150).webp(lossless: lossless, hasAlpha: true)
        let targetSize = PixelSize(width: side, height: side)
        let small = try decode(bytes, fitting: targetSize)
        #expect(small.size == PixelSize(width: 200, height: 150).fitted(in: targetSize))
        let model = try decode(bytes).boxFiltered(to: small.size)
        for (found, wanted) in zip(small.quarters, model.quarters) where side > 8 {
            #expect((0..<4).allSatisfy { abs(found[$0] - wanted[$0]) <= 4 })
        }
    }

    @Test(arguments: [false, true])
    func `shows the first frame of an animation`(lossless: Bool) throws {
        let sample = Sample(80, 60)
        let still = sample.webp(lossless: lossless, hasAlpha: true)
        let animated = webPAnimation(still, of: sample.size, on: sample.size)
        let targetSize = PixelSize(width: 40, height: 40)
        #expect(try decode(animated) == decode(still))
        #expect(try decode(animated, fitting: targetSize) == decode(still, fitting: targetSize))
    }

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

    @Test func `refuses a frame that is not where or what it says`() {
        let sample = Sample(80, 60)
        let still = sample.webp()
        let beyond = webPAnimation(still, of: sample.size, on: sample.size, x: 2)
        #expect(failure(beyond) == .corrupt("a WebP frame beyond its canvas"))
        let stated = PixelSize(width: 70, height: 60)
        let lying = webPAnimation(still, of: stated, on: sample.size)
        #expect(
            failure(lying)
                == .corrupt("a WebP frame of 80x60 pixels that says it has 70x60"))
        let large = webPFile(
            webPCanvas(PixelSize(width: 81, height: 60), flags: 0) + webPImageData(still))
        #expect(
            failure(large) == .corrupt("a WebP picture of 80x60 pixels on a canvas of 81x60"))
    }

    @Test func `refuses a picture without pixels`() {
        var bytes = Sample(40, 30).webp()
        for index in 26..<30 { bytes[index] = 0 }
        #expect(failure(bytes) == .corrupt("a WebP picture of 0x0 pixels"))
    }

    @Test func `steps over what stands before the picture, up to a bound`() throws {
        let sample = Sample(40, 30)
        let still = sample.webp()
        let data = webPImageData(still)
        let canvas = webPCanvas(sample.size, flags: 0)
        let profile = webPChunk("ICCP", [UInt8](repeating: 7, count: 100_001))
        #expect(try decode(webPFile(canvas + profile + data)) == decode(still))
        let many = [[UInt8]](repeating: webPChunk("????", [1]), count: 100).joined()
        #expect(
            failure(webPFile(canvas + many + data))
                == .corrupt("too many chunks before the WebP picture"))
    }

    @Test func `holds a lossless picture to the limit of decoder memory`() {
        let limits = PictureLimits(decoderMemory: 10_000)
        let sample = Sample(64, 64)
        #expect(
            failure(sample.webp(lossless: true), limits: limits)
                == .tooLarge(.decoderMemory, found: 64 * 64 * 4, limit: 10_000))
        #expect(failure(sample.webp(), limits: limits) == nil)
    }

    @Test func `refuses the largest picture in a few bytes`() {
        let bits = [0x2F, 0xFE, 0xBF, 0xFF, 0x0F, 0, 0, 0] as [UInt8]
        let reason = failure(webPFile(webPChunk("VP8L", bits)))
        guard case .tooLarge = reason else {
            Issue.record("\(String(describing: reason))")
            return
        }
    }

    @Test func `gives noise of many pieces as it was`() throws {
        let sample = Sample(700, 500)
        var random = SplitMix64(seed: 3)
        let noise = (0..<4 * 700 * 500).map { index in
            index % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &random)
        }
        let bytes = sample.webp(noise, lossless: true)
        #expect(bytes.count > 700_000)
        #expect(try decode(bytes).pixels == noise)
    }
}
