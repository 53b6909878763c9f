import ImageLoading
import TestSupport
import Testing

@Suite struct `JPEG decoding` {
    @Test(arguments: [false, true])
    func `gives the colours that were stored`(progressive: Bool) throws {
        let sample = Sample(97, 61)
        let picture = try decode(sample.jpeg(progressive: progressive))
        let expected = sample.picture(hasAlpha: false)
        #expect(picture.size == sample.size)
        for (found, wanted) in zip(picture.quarters, expected.quarters) {
            #expect((0..<4).allSatisfy { abs(found[$0] - wanted[$0]) <= 4 })
        }
    }

    @Test func `turns grey into equal colours`() throws {
        let sample = Sample(50, 70)
        let picture = try decode(sample.greyJPEG())
        for (found, wanted) in zip(picture.quarters, sample.picture(hasAlpha: false).quarters) {
            #expect(found[0] == found[1] && found[1] == found[2] && found[3] == 255)
            #expect(abs(found[0] - wanted[1]) <= 3)
        }
    }

    @Test(arguments: [false, true])
    func `turns Adobe's inverted inks into colours`(ycck: Bool) throws {
        let sample = Sample(64, 64)
        // libjpeg marks what it writes as Adobe's, so the values count as inverted inks.
        let picture = try decode(sample.inkJPEG(ycck: ycck))
        for (found, wanted) in zip(picture.quarters, sample.picture(hasAlpha: false).quarters) {
            #expect((0..<4).allSatisfy { abs(found[$0] - wanted[$0]) <= 8 })
        }
    }

    @Test func `takes inks without Adobe's mark as they are`() throws {
        let sample = Sample(64, 64)
        var bytes = sample.inkJPEG(ycck: false)
        let mark = try #require(bytes.firstIndex(of: 0xEE))
        bytes[mark] = 0xED
        let inverted = sample.inkJPEG(ycck: false)
        let plain = try decode(bytes).quarters
        let adobe = try decode(inverted).quarters
        #expect(plain != adobe)
        // Full light is no ink: (255 - c)(255 - k) / 255 in place of ck / 255.
        let pixel = sample.pixel(16, 16)
        let black = max(pixel[0], pixel[1], pixel[2])
        let ink = 255 * pixel[1] / black
        #expect(abs(plain[0][1] - (255 - ink) * (255 - black) / 255) <= 8)
    }

    @Test(arguments: [300, 200, 175, 150, 128, 100, 64, 50, 33, 20, 9, 1])
    func `scales while decoding to about what scaling afterwards gives`(side: Int) throws {
        let bytes = Sample(200, 150).jpeg()
        let targetSize = PixelSize(width: side, height: side)
        let small = try decode(bytes, fitting: targetSize)
        #expect(small.size == PixelSize(width: 200, height: 150).fitted(in: targetSize))
        let model = try decode(bytes).boxFiltered(to: small.size)
        for (found, wanted) in zip(small.quarters, model.quarters) where side > 8 {
            #expect((0..<4).allSatisfy { abs(found[$0] - wanted[$0]) <= 4 })
        }
    }

    @Test func `reads a picture with restart markers`() throws {
        let sample = Sample(90, 90)
        #expect(try decode(sample.jpeg(restartRows: 1)) == decode(sample.jpeg()))
    }

    @Test func `passes over damage between restart markers`() throws {
        let sample = Sample(90, 90)
        var bytes = sample.jpeg(restartRows: 1)
        let marker = try #require(
            bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD2 })
        // A byte fewer in one stretch: its end comes too early, and the next begins anew.
        bytes.remove(at: marker - 1)
        let picture = try decode(bytes)
        #expect(picture[80, 80] == (try decode(sample.jpeg()))[80, 80])
        #expect(failure(bytes, limits: PictureLimits(warnings: 0)) != nil)
    }

    @Test func `gives the same however the data are packed`() throws {
        // Noise makes files that are much longer than what the decoder is handed at once.
        let sample = Sample(800, 500)
        var random = SplitMix64(seed: 1)
        let noise = (0..<3 * 800 * 500).map { _ in UInt8.random(in: 0...255, using: &random) }
        let baseline = sample.jpeg(noise, 3)
        #expect(baseline.count > 300_000)
        let picture = try decode(baseline)
        #expect(try decode(sample.jpeg(noise, 3, progressive: true)) == picture)
        #expect(try decode(sample.jpeg(noise, 3, arithmetic: true)) == picture)
        #expect(
            try decode(sample.jpeg(noise, 3, progressive: true, arithmetic: true)) == picture)
    }

    @Test func `is not led by stray bytes and segments`() throws {
        let sample = Sample(40, 40)
        let bytes = sample.jpeg()
        let comment = [0xFF, 0xFE, 0x40, 0x00] + [UInt8](repeating: 0x41, count: 0x3FFE)
        let stray = [UInt8](repeating: 0x20, count: 60_000)
        let stuffed = bytes[..<2] + comment + stray + comment + bytes[2...]
        #expect(try decode(Array(stuffed)) == decode(bytes))
        let padded = bytes[..<2] + [UInt8](repeating: 0xFF, count: 60_000) + bytes[2...]
        #expect(try decode(Array(padded)) == decode(bytes))
        let lost = bytes[..<2] + comment + stray + comment + stray + bytes[2...]
        #expect(failure(Array(lost)) == .corrupt("no JPEG marker in 65536 bytes"))
        let endless =
            bytes[..<2] + (0..<1000).flatMap { _ in comment[..<2] + [0, 2] } + bytes[2...]
        #expect(failure(Array(endless)) == .corrupt("too many segments"))
    }
}
