import CPictureEncoders
import ImageLoading
import TestSupport
import Testing

@Suite struct `A hostile profile` {
    private let sample = Sample(16, 16)

    /// A profile in which some bytes stand so far behind a name.
    private func changed(
        _ kind: TestProfile, _ name: String, _ offset: Int, _ bytes: [UInt8]
    ) throws -> [UInt8] {
        var profile = kind.bytes
        let place = try #require(
            profile.indices.first { profile[$0...].starts(with: name.utf8) })
        profile.replaceSubrange(place + offset..<place + offset + bytes.count, with: bytes)
        return profile
    }

    @Test func `that can't be right is not there`() throws {
        let (p3, all) = (TestProfile.displayP3.bytes, [UInt8](repeating: 0xFF, count: 4))
        let cut = [
            [], [0], [UInt8](repeating: 0xFF, count: 1000), Array(p3[..<128]), Array(p3[..<200]),
            p3 + [UInt8](repeating: 0, count: 5 << 20),
        ]
        // The version, a mark, the number of tags, and the colour model.
        let heads = [(8, 9), (36, 0), (128, 0xFF), (16, 0x20)].map { place, byte in
            var profile = p3
            profile[place] = UInt8(byte)
            return profile
        }
        let parts = [
            // Four billion tags; a tag at 4 GB, or of 4 GB; the name of a chain of calculations.
            try changed(.displayP3, "acsp", 92, all), try changed(.displayP3, "rXYZ", 4, all),
            try changed(.displayP3, "rXYZ", 8, all), try changed(.displayP3, "rTRC", 8, all),
            try changed(.displayP3, "cprt", 0, Array("D2B0".utf8)),
            // Tables of 99 MB, and of fewer or more values than there are.
            try changed(.table, "mft2", 10, [255]), try changed(.table, "mft2", 10, [64]),
            try changed(.table, "mft2", 8, [4]), try changed(.table, "mft2", 48, [0x7F, 0xFF]),
            // A curve of no kind that there is.
            try changed(.adobeRGB, "para", 8, all),
        ]
        let (png, jpeg) = (sample.rgbPNG(), sample.jpeg())
        let (plainPNG, plainJPEG) = (try decode(png), try decode(jpeg))
        for (index, profile) in (cut + heads + parts).enumerated() {
            #expect(try decode(Tagged.png(png, profile: profile)) == plainPNG, "\(index)")
            #expect(try decode(Tagged.jpeg(jpeg, profile)) == plainJPEG, "\(index)")
        }
    }

    @Test func `counts in a JPEG if its parts are all there, in whatever order`() throws {
        let jpeg = sample.jpeg()
        let profile = TestProfile.displayP3.bytes
        let half = profile.count / 2
        let tagged = Tagged.jpeg(jpeg, Array(profile[half...] + profile[..<half]), part: half)
        let marks = tagged.indices.filter { tagged[$0...].starts(with: "ICC_PROFILE".utf8) }
        let (plain, converted) = (try decode(jpeg), try decode(Tagged.jpeg(jpeg, profile)))
        // Exchanged as they stand, and numbered as they belong.
        #expect(try decode(tagged) == plain)
        var bytes = tagged
        (bytes[marks[0] + 12], bytes[marks[1] + 12]) = (2, 1)
        #expect(try decode(bytes) == converted)
        for (place, number) in [(12, 0), (12, 1), (12, 9), (13, 0), (13, 1), (13, 3), (0, 0)] {
            var wrong = bytes
            wrong[marks[0] + place] = UInt8(number)
            #expect(try decode(wrong) == plain)
        }
    }

    /// What is told in chunks costs 64 KB in each step, read or unpacked, and 4 MB at most.
    @Test func `or a text that unfolds to far more costs no more than it may`() throws {
        let png = sample.rgbPNG()
        let plain = try decode(png)
        for (bomb, range) in [
            (Hostile.profileBomb(unfolding: 20 << 20), 61..<100),
            (Hostile.textBomb(unfolding: 20 << 20), 1..<30),
        ] {
            let job = PictureJob(.bytes(Tagged.png(png, bomb)), named: "a", fitting: .ample)
            var (steps, picture) = (0, Picture?.none)
            while picture == nil {
                steps += 1
                if case .done(let result) = try job.step() { picture = result }
            }
            #expect(picture == plain && range.contains(steps), "\(steps)")
        }
    }

    @Test(arguments: [0, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] as [UInt32])
    func `whose curve is no number gives some picture`(parameter: UInt32) throws {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: parameter >> $0) }
        for index in 0..<5 {
            for first in [bytes, [0xFF, 0xFF, 0, 0]] {
                var profile = try changed(.displayP3, "para", 12, first)
                let place = try #require(
                    profile.indices.first { profile[$0...].starts(with: "para".utf8) })
                let number = place + 12 + 4 * index
                profile.replaceSubrange(number..<number + 4, with: bytes)
                let picture = try decode(Tagged.png(sample.deepPNG(), profile: profile))
                #expect(picture.quarters[0][3] == 255)
            }
        }
    }

    @Test(arguments: [TestProfile.displayP3, .table, .inks, .grey])
    func `with any bytes changed is no error`(kind: TestProfile) throws {
        let profile = kind.bytes
        let still =
            switch kind {
            case .inks: sample.inkJPEG(ycck: false)
            case .grey: sample.greyJPEG()
            default: sample.jpeg()
            }
        var random = SplitMix64(seed: 7)
        for _ in 0..<100 {
            var bytes = profile
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                // Most of them where the tags are.
                let end = Bool.random(using: &random) ? min(400, bytes.count) : bytes.count
                bytes[Int.random(in: 0..<end, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            if Bool.random(using: &random) {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            }
            #expect(throws: Never.self) { try decode(Tagged.jpeg(still, bytes)) }
        }
    }
}
