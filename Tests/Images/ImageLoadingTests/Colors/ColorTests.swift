import CPictureEncoders
import ImageLoading
import Testing

@Suite struct `Colours of a file with a profile` {
    private let sample = Sample(48, 32)

    /// A file whose values a profile tells the colours of.
    private struct File {
        let name: String
        let model: ColorModel
        let plain: [UInt8]
        /// The values that are stored for a colour.
        var values: (SIMD4<Int>) -> [Int] = { [$0[0], $0[1], $0[2]] }
        /// How far decoded values may be from these.
        let tolerance: Int
        let tagged: ([UInt8]) -> [UInt8]
    }

    private var files: [File] {
        let (rgb, grey, inks) = (sample.rgbPNG(), sample.greyJPEG(), sample.inkJPEG(ycck: false))
        let palette = sample.png(sample.rows { [$0[0] / 16] }, type: 3)
        let greyPNG = sample.png(sample.rows { [$0[1]] }, type: 0)
        let webP = sample.webp(lossless: true)
        let jpegs = [(60_000, false), (100, false), (300, false), (60_000, true)].map {
            part, progressive in
            let jpeg = sample.jpeg(progressive: progressive)
            return File(
                name: "JPEG in parts of \(part)", model: .rgb, plain: jpeg, tolerance: 8
            ) { Tagged.jpeg(jpeg, $0, part: max(part, $0.count / 200)) }
        }
        return jpegs + [
            File(name: "PNG", model: .rgb, plain: rgb, tolerance: 1) {
                Tagged.png(rgb, profile: $0)
            },
            File(
                name: "palette", model: .rgb, plain: palette,
                values: { [$0[0] / 16, 255 - $0[0] / 16, $0[0] / 32] }, tolerance: 1
            ) { Tagged.png(palette, profile: $0) },
            File(
                name: "grey PNG", model: .grey, plain: greyPNG, values: { [$0[1]] }, tolerance: 1
            ) { Tagged.png(greyPNG, profile: $0) },
            File(name: "grey JPEG", model: .grey, plain: grey, values: { [$0[1]] }, tolerance: 4) {
                Tagged.jpeg(grey, $0)
            },
            File(
                name: "inks", model: .cmyk, plain: inks,
                values: { pixel in
                    let black = max(pixel[0], pixel[1], pixel[2])
                    return (0..<3).map { 255 - 255 * pixel[$0] / black } + [255 - black]
                }, tolerance: 4
            ) { Tagged.jpeg(inks, $0, part: 30_000) },
            File(name: "WebP", model: .rgb, plain: webP, tolerance: 1) { [sample] in
                Tagged.webP(webP, of: sample.size, profile: $0)
            },
        ]
    }

    /// The colour model of each profile; none where all stays as it is.
    @Test(
        arguments: [
            (.displayP3, .rgb), (.adobeRGB, .rgb), (.linear, .rgb), (.table, .rgb), (.grey, .grey),
            (.inks, .cmyk), (.standard, nil), (.largeTable, nil), (.link, nil),
            (.namedColors, nil),
        ] as [(TestProfile, ColorModel?)])
    func `become those of sRGB if it is of their colour model`(
        profile: TestProfile, model: ColorModel?
    ) throws {
        for file in files {
            let plain = try decode(file.plain)
            let picture = try decode(file.tagged(profile.bytes))
            guard file.model == model else {
                #expect(picture == plain, "\(file.name)")
                continue
            }
            #expect(picture != plain, "\(file.name)")
            for (found, (x, y)) in zip(picture.quarters, [(1, 1), (3, 1), (1, 3), (3, 3)]) {
                let wanted = profile.converted(file.values(sample.pixel(12 * x, 8 * y)))
                let isNear = (0..<4).allSatisfy { abs(found[$0] - wanted[$0]) <= file.tolerance }
                #expect(isNear, "\(file.name): \(found), not \(wanted)")
            }
        }
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

    @Test func `are converted in previews, too, and in what is turned`() throws {
        let photo = Sample(640, 480)
        let bytes = Tagged.jpeg(photo.jpeg(progressive: true), TestProfile.displayP3.bytes)
        let job = PictureJob(
            .bytes(bytes), named: "a", fitting: PixelSize(width: 80, height: 60))
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
        let photo = Sample(150, 100)
        let bytes = Tagged.png(photo.rgbPNG(), profile: TestProfile.table.bytes)
        let plain = PictureJob(.bytes(photo.rgbPNG()), named: "a", fitting: .ample)
        let job = PictureJob(.bytes(bytes), named: "a", fitting: .ample)
        #expect(try steps(of: job) - steps(of: plain) >= 150 * 100 / 1024)
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
            .bytes(bytes), named: "a", fitting: PixelSize(width: 80, height: 60))
        let picture = try job.decode()
        #expect(job.usesThumbnail)
        let plain = try decode(thumbnail.jpeg())
        #expect((picture == plain) == !isTagged)
    }
}
