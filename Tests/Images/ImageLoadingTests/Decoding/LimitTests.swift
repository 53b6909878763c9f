import ImageLoading
import Testing

@Suite struct `A limit` {
    @Test func `holds for the bytes of the file`() {
        let bytes = Sample(64, 64).jpeg()
        #expect(
            failure(bytes, limits: PictureLimits(fileBytes: 100))
                == .tooLarge(.bytes, found: bytes.count, limit: 100))
    }

    @Test func `holds for pixels`() {
        let reason = failure(Sample(64, 64).rgbPNG(), limits: PictureLimits(pixels: 4095))
        #expect(reason == .tooLarge(.pixels, found: 4096, limit: 4095))
    }

    @Test(arguments: [(-1, 0), (0, 9), (9, 0), (.min, .max)])
    func `of a target is at least one pixel on each side`(width: Int, height: Int) {
        let target = PixelSize(width: width, height: height)
        let error = #expect(throws: PictureError.self) {
            try decode(Sample(64, 64).jpeg(), fitting: target)
        }
        #expect(error?.reason == .unsupported("a target size of \(width)x\(height)"))
    }

    @Test func `refuses a JPEG that claims the largest size`() throws {
        for progressive in [false, true] {
            let bytes = claiming(65_500, 65_500, Sample(16, 16).jpeg(progressive: progressive))
            #expect(
                failure(bytes) == .tooLarge(.pixels, found: 65_500 * 65_500, limit: 128_000_000))
        }
    }

    @Test func `lets a JPEG that claims too much end where its data ends`() {
        let bytes = claiming(11_000, 11_000, Sample(16, 16).jpeg())
        let reason = PictureError.Reason.corrupt("Corrupt JPEG data: premature end of data segment")
        #expect(failure(bytes) == reason)
        #expect(throws: PictureError(file: "a", reason: reason)) {
            try PictureJob(bytes: bytes, named: "a", fitting: .ample).decode()
        }
    }

    @Test func `holds for the coefficients of a progressive JPEG`() {
        let bytes = claiming(11_000, 11_000, Sample(16, 16).jpeg(progressive: true))
        guard case .tooLarge(.decoderMemory, let found, _) = failure(bytes) else {
            Issue.record("\(String(describing: failure(bytes)))")
            return
        }
        #expect(found > 96_000_000)
    }

    @Test func `holds for the pixels of an interlaced PNG`() {
        let bytes = Sample(64, 64).rgbaPNG(interlaced: true)
        #expect(
            failure(bytes, limits: PictureLimits(decoderMemory: 10_000))
                == .tooLarge(.decoderMemory, found: 64 * 64 * 4, limit: 10_000))
        #expect(failure(bytes, limits: PictureLimits(decoderMemory: 64 * 64 * 4)) == nil)
    }

    @Test func `holds for scans`() {
        let reason = failure(
            Sample(64, 64).jpeg(progressive: true), limits: PictureLimits(scans: 5))
        #expect(reason == .tooLarge(.scans, found: 6, limit: 5))
    }

    @Test func `refuses a PNG of gigabytes`() {
        var bytes = Sample(16, 16).rgbPNG()
        bytes.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
        let side = 0x7FFF_FFFF
        #expect(failure(bytes) == .tooLarge(.pixels, found: side * side, limit: 128_000_000))
        bytes[16] = 0xFF
        #expect(failure(bytes) == .corrupt("a PNG of 4294967295x2147483647 pixels"))
    }

    @Test func `refuses a side that is too long for the decoders`() {
        var bytes = Sample(16, 16).rgbPNG()
        bytes.replaceSubrange(16..<20, with: [0, 1, 0, 0])
        #expect(failure(bytes) == .unsupported("a picture of 65536x16 pixels"))
        #expect(
            failure(claiming(65_501, 16, Sample(16, 16).jpeg()))
                == .unsupported(
                    "Maximum supported image dimension is 65500 pixels"))
    }

    @Test(arguments: [0xC4, 0xDA, 0xD9], [false, true])
    func `keeps padding before a marker from going on`(marker: UInt8, progressive: Bool) throws {
        let bytes = Sample(16, 16).jpeg(progressive: progressive)
        let place = try #require(
            bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == marker })
        let padding = [UInt8](repeating: 0xFF, count: 300_000)
        let reason = failure(Array(bytes[..<place] + padding + bytes[place...]))
        #expect(reason == .corrupt("no end of padding"))
    }

    /// The JPEG with another size in its frame header.
    private func claiming(_ width: Int, _ height: Int, _ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let frame = bytes.indices.first { index in
            bytes[index] == 0xFF && (bytes[index + 1] == 0xC0 || bytes[index + 1] == 0xC2)
        }!
        let size = [height >> 8, height & 255, width >> 8, width & 255].map { UInt8($0) }
        bytes.replaceSubrange(frame + 5..<frame + 9, with: size)
        return bytes
    }
}
