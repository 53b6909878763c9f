import CPictureEncoders
import ImageLoading
import TestSupport
import Testing

@Suite struct `A hostile profile` {
    private let sample = Sample(16, 16)

    @Test func `that is no profile, or of something else, is not there`() throws {
        let (png, jpeg) = (sample.rgbPNG(), sample.jpeg())
        let p3 = TestProfile.displayP3.bytes
        for profile in [
            [], [0], [UInt8](repeating: 0xFF, count: 1000), Array(p3[..<128]), Array(p3[..<200]),
            TestProfile.link.bytes, TestProfile.namedColors.bytes, TestProfile.inks.bytes,
            TestProfile.grey.bytes, TestProfile.largeTable.bytes,
            p3 + [UInt8](repeating: 0, count: 5 << 20),
        ] {
            #expect(try decode(Tagged.png(png, profile: profile)) == decode(png))
            #expect(try decode(Tagged.jpeg(jpeg, profile)) == decode(jpeg))
        }
        let inks = sample.inkJPEG(ycck: false)
        #expect(try decode(Tagged.jpeg(inks, p3)) == decode(inks))
    }

    @Test func `of a version or kind that is not its own is not there`() throws {
        let png = sample.rgbPNG()
        for (place, byte) in [(8, 9), (36, 0), (128, 0xFF), (16, 0x20)] {
            var profile = TestProfile.displayP3.bytes
            profile[place] = UInt8(byte)
            #expect(try decode(Tagged.png(png, profile: profile)) == decode(png))
        }
    }

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

    @Test func `with parts that can't be is not there`() throws {
        let plain = try decode(sample.rgbPNG())
        let all: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
        for profile in [
            // Four billion tags; a tag at 4 GB, or of 4 GB; the name of a chain of calculations.
            try changed(.displayP3, "acsp", 92, all), try changed(.displayP3, "rXYZ", 4, all),
            try changed(.displayP3, "rXYZ", 8, all), try changed(.displayP3, "rTRC", 8, all),
            try changed(.displayP3, "cprt", 0, Array("D2B0".utf8)),
            // Tables of 99 MB, and of fewer or more values than there are.
            try changed(.table, "mft2", 10, [255]), try changed(.table, "mft2", 10, [64]),
            try changed(.table, "mft2", 8, [4]), try changed(.table, "mft2", 48, [0x7F, 0xFF]),
            // A curve of no kind that there is.
            try changed(.adobeRGB, "para", 8, all),
        ] {
            #expect(try decode(Tagged.png(sample.rgbPNG(), profile: profile)) == plain)
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

    @Test func `in parts that are missing, too many or twice is not there`() throws {
        let jpeg = sample.jpeg()
        let profile = TestProfile.displayP3.bytes
        let tagged = Tagged.jpeg(jpeg, profile, part: 300)
        let marks = tagged.indices.filter { tagged[$0...].starts(with: "ICC_PROFILE".utf8) }
        #expect(marks.count == 2)
        for (place, number) in [(12, 0), (12, 2), (12, 9), (13, 0), (13, 1), (13, 3), (0, 0)] {
            var bytes = tagged
            bytes[marks[0] + place] = UInt8(number)
            #expect(try decode(bytes) == decode(jpeg))
        }
    }

    @Test func `in parts that are out of order is put together`() throws {
        let jpeg = sample.jpeg()
        let profile = TestProfile.displayP3.bytes
        let half = profile.count / 2
        var bytes = Tagged.jpeg(jpeg, Array(profile[half...] + profile[..<half]), part: half)
        let marks = bytes.indices.filter { bytes[$0...].starts(with: "ICC_PROFILE".utf8) }
        #expect(try decode(bytes) == decode(jpeg))
        (bytes[marks[0] + 12], bytes[marks[1] + 12]) = (2, 1)
        #expect(try decode(bytes) == decode(Tagged.jpeg(jpeg, profile)))
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
        for _ in 0..<200 {
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

    @Test func `that unfolds to gigabytes costs what four megabytes do`() throws {
        let bomb = Tagged.png(sample.rgbPNG(), Hostile.profileBomb(unfolding: 200 << 20))
        let job = PictureJob(bytes: bomb, named: "a", fitting: .ample)
        var steps = 0
        while true {
            steps += 1
            if case .done(let picture) = try job.step() {
                #expect(try picture == decode(sample.rgbPNG()))
                break
            }
        }
        // 64 KB in each step, read or unpacked.
        #expect(steps < 100 && steps > 60)
    }
}
