import ImageLoading
import Testing

@Suite struct `An image header` {
    @Test func `is read from each kind of file`() throws {
        let sample = Sample(40, 30)
        try expect(sample.jpeg(), .jpeg, 3, 1)
        try expect(sample.jpeg(progressive: true), .progressiveJPEG, 3, 1)
        try expect(sample.greyJPEG(), .jpeg, 1, 1)
        try expect(sample.inkJPEG(ycck: true), .jpeg, 4, 1)
        try expect(sample.rgbPNG(), .png, 3, 1)
        try expect(sample.rgbaPNG(interlaced: true), .interlacedPNG, 4, 1)
        try expect(sample.deepPNG(), .png, 4, 2)
        let indices = sample.rows { [$0[0]] }
        try expect(sample.png(indices, type: 3), .png, 1, 1)
        try expect(sample.png(indices, type: 0, depth: 1), .png, 1, 1)
        try expect(sample.webp(), .webP, 3, 1)
        try expect(sample.webp(hasAlpha: true), .webP, 4, 1)
        try expect(sample.webp(lossless: true), .losslessWebP, 3, 1)
        try expect(sample.webp(lossless: true, hasAlpha: true), .losslessWebP, 4, 1)
        try expect(GIF(sample).encoded(), .gif, 1, 1)
    }

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
        try expect(bytes[..<2] + preview + preview + bytes[2...], .jpeg, 3, 1)
    }

    @Test func `throws what is wrong with the file`() {
        let file = TemporaryFile(Array("BM________".utf8))
        #expect(throws: PictureError(file: file.path, reason: .unsupported("BMP"))) {
            try PictureHeader.read(file.path)
        }
        file.write(Sample(64, 64).rgbPNG())
        #expect(throws: PictureError.self) {
            try PictureHeader.read(file.path, limits: PictureLimits(pixels: 10))
        }
    }

    private func expect(
        _ bytes: [UInt8], _ format: PictureFormat, _ channels: Int, _ bytesPerSample: Int
    ) throws {
        let file = TemporaryFile(bytes)
        let header = PictureHeader(
            format: format, size: PixelSize(width: 40, height: 30), fileBytes: bytes.count,
            channels: channels, bytesPerSample: bytesPerSample)
        #expect(try PictureHeader.read(file.path) == header)
        #expect(file.openDescriptors == 0)
    }
}
