import ImageLoading
import Testing

@Suite struct `An image header` {
    @Test func `tells what needs memory for the whole picture`() {
        let megabytes = { (format: PictureFormat, channels: Int) in
            PictureHeader(
                format: format, size: PixelSize(width: 4000, height: 3000), fileBytes: 3_300_000,
                channels: channels, bytesPerSample: 1
            ).estimatedMemory / 1_000_000
        }
        #expect(megabytes(.jpeg, 3) == 0)
        #expect(megabytes(.png, 4) == 0)
        #expect(megabytes(.progressiveJPEG, 3) == 36)
        #expect(megabytes(.progressiveJPEG, 1) == 24)
        #expect(megabytes(.progressiveJPEG, 4) == 96)
        #expect(megabytes(.interlacedPNG, 3) == 48)
        #expect(megabytes(.losslessWebP, 4) == 48)
        #expect(megabytes(.webP, 3) == 4)
        let huge = PictureHeader(
            format: .gif, size: PixelSize(width: .max, height: .max), fileBytes: 1, channels: 1,
            bytesPerSample: 1)
        #expect(huge.estimatedMemory == .max)
    }

    @Test func `finds the size behind a long preview`() throws {
        let bytes = Sample(40, 30).jpeg()
        let preview: [UInt8] = [0xFF, 0xE1, 0xFF, 0xFF] + [UInt8](repeating: 0xFF, count: 65_533)
        let header = try PictureHeader.read(
            .bytes(bytes[..<2] + preview + preview + bytes[2...]), named: "a")
        #expect(header.size == PixelSize(width: 40, height: 30))
    }

    @Test func `has one channel with a palette, or of bits`() throws {
        let sample = Sample(40, 30)
        for bytes in [
            sample.png(sample.rows { [$0[0]] }, type: 3),
            sample.png(sample.rows { [$0[0]] }, type: 0, depth: 1),
        ] {
            let header = try PictureHeader.read(.bytes(bytes), named: "a")
            #expect(header.format == .png && header.channels == 1 && header.bytesPerSample == 1)
        }
    }
}
