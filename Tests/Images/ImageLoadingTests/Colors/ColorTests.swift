import CPictureEncoders
import ImageLoading
import TestSupport
import Testing

@Suite struct `Colours of a file with a profile` {
    private let sample = Sample(48, 32)

    /// What all pixels of a picture should be, of its quarters' values, converted one by one.
    private func expect(
        _ picture: Picture, _ tolerance: Int, as profile: TestProfile,
        _ values: (SIMD4<Int>) -> [Int] = { [$0[0], $0[1], $0[2]] }
    ) {
        for (found, (x, y)) in zip(picture.quarters, [(1, 1), (3, 1), (1, 3), (3, 3)]) {
            let stored = sample.pixel(48 * x / 4, 32 * y / 4)
            let wanted = profile.converted(values(stored))
            #expect((0..<4).allSatisfy { abs(found[$0] - wanted[$0]) <= tolerance })
        }
    }

    @Test(arguments: [TestProfile.displayP3, .adobeRGB, .linear, .table])
    func `become those of sRGB in a PNG`(profile: TestProfile) throws {
        let plain = sample.rgbPNG()
        let picture = try decode(Tagged.png(plain, profile: profile.bytes))
        expect(picture, 1, as: profile)
        #expect(try decode(plain) != picture)
    }

    @Test(arguments: [60_000, 100, 300])
    func `become those of sRGB in a JPEG, whose profile may be in parts`(part: Int) throws {
        let plain = sample.jpeg()
        let bytes = Tagged.jpeg(plain, TestProfile.displayP3.bytes, part: part)
        expect(try decode(bytes), 5, as: .displayP3)
        let progressive = Tagged.jpeg(sample.jpeg(progressive: true), TestProfile.displayP3.bytes)
        #expect(try decode(progressive) == decode(bytes))
    }

    @Test func `become those of sRGB, though the profile stands behind the frame header`() throws {
        let plain = sample.jpeg()
        let tagged = Tagged.jpeg(plain, TestProfile.displayP3.bytes)
        let scan = plain.indices.first { plain[$0...].starts(with: [0xFF, 0xDA]) }!
        let profile = tagged[2..<2 + tagged.count - plain.count]
        let bytes = Array(plain[..<scan] + profile + plain[scan...])
        #expect(try decode(bytes) == decode(tagged))
        let notes = EXIFSample(orientation: 1).bytes
        #expect(try decode(bytes.jpegWithEXIF(notes)) == decode(tagged))
    }

    @Test func `become those of sRGB in a WebP`() throws {
        let still = sample.webp(lossless: true)
        let bytes = Tagged.webP(still, of: sample.size, profile: TestProfile.adobeRGB.bytes)
        expect(try decode(bytes), 1, as: .adobeRGB)
    }

    @Test func `are known ones`() throws {
        // As CSS Color 4 converts them: color(display-p3 0 1 0) is beyond sRGB, and
        // color(display-p3 0.502 0.251 0.251) is rgb(138 60 62).
        let green = try onePixel([0, 255, 0], .displayP3)
        #expect(green == [0, 255, 0, 255])
        let brown = try onePixel([128, 64, 64], .displayP3)
        #expect((0..<3).allSatisfy { abs(brown[$0] - [138, 60, 62][$0]) <= 1 })
        #expect(try onePixel([128, 128, 128], .displayP3) == [128, 128, 128, 255])
        #expect(try onePixel([255, 255, 255], .adobeRGB) == [255, 255, 255, 255])
        #expect(try onePixel([0, 0, 0], .table)[0] <= 1)
        // A linear half is 188 of sRGB.
        #expect(try onePixel([127, 128, 128], .linear) == [187, 188, 188, 255])
    }

    private func onePixel(_ value: [UInt8], _ profile: TestProfile) throws -> SIMD4<Int> {
        let bytes = Sample(1, 1).png(value, type: 2)
        return try decode(Tagged.png(bytes, profile: profile.bytes))[0, 0]
    }

    @Test func `stay as they are where the profile is sRGB's`() throws {
        let profile = TestProfile.standard.bytes
        #expect(
            try decode(Tagged.png(sample.rgbaPNG(), profile: profile)) == decode(sample.rgbaPNG()))
        #expect(try decode(Tagged.jpeg(sample.jpeg(), profile)) == decode(sample.jpeg()))
        let still = sample.webp()
        #expect(
            try decode(Tagged.webP(still, of: sample.size, profile: profile)) == decode(still))
    }

    @Test func `keep their transparency, and are converted without it`() throws {
        let picture = try decode(
            Tagged.png(sample.rgbaPNG(), profile: TestProfile.displayP3.bytes))
        let plain = try decode(sample.rgbaPNG())
        for (index, (found, stored)) in zip(picture.quarters, plain.quarters).enumerated() {
            #expect(found[3] == stored[3])
            let straight = sample.pixel(12 + 24 * (index % 2), 8 + 16 * (index / 2))
            let wanted = TestProfile.displayP3.converted([straight[0], straight[1], straight[2]])
            // The values under alpha are rounded before, and dark ones become several times as large.
            #expect((0..<3).allSatisfy { abs(found[$0] - wanted[$0] * stored[3] / 255) <= 5 })
        }
    }

    @Test func `keep 16 bits until they are converted`() throws {
        // Light below a 255th: with 8 bits, all of it would be 0 or 13 of sRGB.
        let size = Sample(64, 1)
        var rows: [UInt8] = []
        for value in stride(from: 0, to: 512, by: 8) {
            for _ in 0..<3 { rows += [UInt8(value / 256), UInt8(value % 256)] }
        }
        let bytes = Tagged.png(
            size.png(rows, type: 2, depth: 16), profile: TestProfile.linear.bytes)
        let picture = try decode(bytes)
        for x in 0..<64 {
            let light = Double(8 * x) / 65535
            let wanted = 255 * (light <= 0.0031308 ? 12.92 * light : 0)
            #expect(abs(Double(picture[x, 0][0]) - wanted) <= 1 || light > 0.0031308)
        }
        #expect(Set((0..<64).map { picture[$0, 0][0] }).count > 10)
        // And shrunk: the mean of the light, not of the values.
        let small = try decode(bytes, fitting: PixelSize(width: 1, height: 1))
        #expect(abs(small[0, 0][0] - 13) <= 1)
    }

    @Test(arguments: [TestProfile.standard, .displayP3])
    func `are the same with 16 bits as with 8`(profile: TestProfile) throws {
        let deep = try decode(Tagged.png(sample.deepPNG(), profile: profile.bytes))
        let flat = try decode(Tagged.png(sample.rgbaPNG(), profile: profile.bytes))
        for (found, wanted) in zip(deep.quarters, flat.quarters) {
            let isOpaque = wanted[3] == 255
            #expect((0..<4).allSatisfy { abs(found[$0] - wanted[$0]) <= (isOpaque ? 1 : 5) })
        }
    }

    @Test func `are those of inks`() throws {
        let inks = sample.inkJPEG(ycck: false)
        let picture = try decode(Tagged.jpeg(inks, TestProfile.inks.bytes, part: 30_000))
        expect(picture, 4, as: .inks) { pixel in
            let black = max(pixel[0], pixel[1], pixel[2])
            return (0..<3).map { 255 - 255 * pixel[$0] / black } + [255 - black]
        }
        #expect(try decode(inks) != picture)
        #expect(
            zip(
                try decode(Tagged.jpeg(sample.inkJPEG(ycck: true), TestProfile.inks.bytes))
                    .quarters,
                picture.quarters
            ).allSatisfy { first, second in (0..<4).allSatisfy { abs(first[$0] - second[$0]) <= 8 }
            })
    }

    @Test func `are shades of grey`() throws {
        let picture = try decode(Tagged.jpeg(sample.greyJPEG(), TestProfile.grey.bytes))
        expect(picture, 4, as: .grey) { [$0[1]] }
        #expect(picture.quarters.allSatisfy { $0[0] == $0[1] && $0[1] == $0[2] })
    }

    @Test func `stay as they are where the profile is of another colour model`() throws {
        let profiles = [
            ColorModel.grey: TestProfile.grey.bytes, .rgb: TestProfile.adobeRGB.bytes,
            .cmyk: TestProfile.inks.bytes,
        ]
        let indices = sample.rows { [$0[0] / 16] }
        let grey = sample.rows { [$0[1]] }
        let plain: [(ColorModel, [UInt8], (_ profile: [UInt8]) -> [UInt8])] = [
            (.rgb, sample.jpeg(), { Tagged.jpeg(sample.jpeg(), $0) }),
            (.grey, sample.greyJPEG(), { Tagged.jpeg(sample.greyJPEG(), $0) }),
            (.cmyk, sample.inkJPEG(ycck: false), { Tagged.jpeg(sample.inkJPEG(ycck: false), $0) }),
            (.rgb, sample.rgbPNG(), { Tagged.png(sample.rgbPNG(), profile: $0) }),
            (
                .rgb, sample.png(indices, type: 3),
                { Tagged.png(sample.png(indices, type: 3), profile: $0) }
            ),
            (
                .grey, sample.png(grey, type: 0),
                { Tagged.png(sample.png(grey, type: 0), profile: $0) }
            ),
            (.rgb, sample.webp(), { Tagged.webP(sample.webp(), of: sample.size, profile: $0) }),
        ]
        for (number, (model, bytes, tagged)) in plain.enumerated() {
            let picture = try decode(bytes)
            for (other, profile) in profiles {
                #expect(
                    try (decode(tagged(profile)) == picture) == (other != model),
                    "\(number): \(other) in \(model)")
            }
        }
    }

    @Test func `are converted in previews, too, and in what is turned`() throws {
        let photo = Sample(640, 480)
        let bytes = Tagged.jpeg(photo.jpeg(progressive: true), TestProfile.displayP3.bytes)
        let job = PictureJob(
            bytes: bytes, named: "a", fitting: PixelSize(width: 80, height: 60))
        var preview: Picture?
        var picture: Picture?
        while picture == nil {
            switch try job.step() {
            case .refined(let shown): preview = shown
            case .done(let result): picture = result
            case .more, .waiting: break
            }
        }
        let (first, last) = (try #require(preview), try #require(picture))
        #expect(first.difference(to: last) < 12)
        let plain = try decode(photo.jpeg(), fitting: PixelSize(width: 80, height: 60))
        #expect(first.quarters[0][0] > plain.quarters[0][0] + 10)
    }

    @Test func `are converted in steps`() throws {
        let photo = Sample(300, 200)
        let bytes = Tagged.png(photo.rgbPNG(), profile: TestProfile.table.bytes)
        let plain = PictureJob(bytes: photo.rgbPNG(), named: "a", fitting: .ample)
        let job = PictureJob(bytes: bytes, named: "a", fitting: .ample)
        #expect(try steps(of: job) - steps(of: plain) >= 300 * 200 / 1024)
    }

    private func steps(of job: PictureJob) throws -> Int {
        var steps = 1
        while true {
            if case .done = try job.step() { return steps }
            steps += 1
        }
    }

    @Test(arguments: [false, true])
    func `are those of the file in its thumbnail`(isTagged: Bool) throws {
        let (thumbnail, photo) = (Sample(80, 60), Sample(160, 120))
        var bytes = photo.jpeg()
        if isTagged { bytes = Tagged.jpeg(bytes, TestProfile.displayP3.bytes) }
        bytes = bytes.jpegWithEXIF(
            EXIFSample(orientation: 1, thumbnail: thumbnail.jpeg()).bytes)
        let job = PictureJob(
            bytes: bytes, named: "a", fitting: PixelSize(width: 80, height: 60))
        let picture = try job.decode()
        #expect(job.source == .embeddedThumbnail)
        let plain = try decode(thumbnail.jpeg())
        #expect((picture == plain) == !isTagged)
    }
}
