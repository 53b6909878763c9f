import ImageLoading
import Testing

@Suite struct `JPEG decoding` {
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

    @Test func `reads a picture with restart markers`() throws {
        let sample = Sample(90, 90)
        #expect(try decode(sample.jpeg(restartRows: 1)) == decode(sample.jpeg()))
    }
}
