import CPictureEncoders
import ImageLoading
import Testing

@Suite struct `Chunks of a PNG that tell of its colours` {
    private let sample = Sample(16, 16)

    private func chunk(_ type: String, _ numbers: Int...) -> [UInt8] {
        let bytes = numbers.flatMap { number in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        return Hostile.chunk(type, bytes)
    }

    private var displayP3: [UInt8] {
        chunk("cHRM", 31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)
    }
    private var sRGB: [UInt8] { Hostile.chunk("sRGB", [0]) }

    private func picture(_ chunks: [UInt8]) throws -> Picture {
        try decode(Tagged.png(sample.rgbPNG(), chunks))
    }

    private func picture(_ profile: TestProfile) throws -> Picture {
        try decode(Tagged.png(sample.rgbPNG(), profile: profile.bytes))
    }

    @Test func `are gamma and primaries`() throws {
        #expect(
            try picture(displayP3 + chunk("gAMA", 45455)).difference(to: picture(.displayP3)) <= 1)
        #expect(try picture(chunk("gAMA", 100_000)).difference(to: picture(.linear)) <= 1)
    }

    @Test func `are code points`() throws {
        let plain = try picture([])
        func coded(_ code: UInt8...) throws -> Picture { try picture(Hostile.chunk("cICP", code)) }
        #expect(try coded(12, 13, 0, 1).difference(to: picture(.displayP3)) <= 1)
        #expect(try coded(1, 8, 0, 1).difference(to: picture(.linear)) <= 1)
        #expect(try coded(1, 13, 0, 1) == plain)
        // Brighter than what is shown, of other primaries, not RGB, or not of full range.
        #expect(try coded(9, 16, 0, 1) == plain)
        #expect(try coded(77, 13, 0, 1) == plain)
        #expect(try coded(12, 13, 1, 1) == plain)
        #expect(try coded(12, 13, 0, 0) == plain)
        #expect(try coded(12, 13) == plain)
    }

    @Test func `count in the standard's order`() throws {
        let plain = try picture([])
        let profile = Hostile.chunk(
            "iCCP", Array("a".utf8) + [0, 0] + Tagged.packed(TestProfile.adobeRGB.bytes))
        #expect(try picture(displayP3 + sRGB) == plain)
        #expect(try picture(chunk("gAMA", 100_000) + profile) == picture(.adobeRGB))
        #expect(try picture(sRGB + profile) == picture(.adobeRGB))
        let code = Hostile.chunk("cICP", [1, 13, 0, 1])
        #expect(try picture(profile + code) == plain)
    }

    @Test func `say nothing if they say what is usual, or nonsense`() throws {
        let plain = try picture([])
        for chunks in [
            chunk("gAMA", 45455), chunk("gAMA", 45000), chunk("gAMA", 0), chunk("gAMA", -1),
            chunk("gAMA", 1), chunk("gAMA"), chunk("gAMA", 100_000, 0), chunk("cHRM", 1, 2),
            chunk("cHRM", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000),
            chunk("cHRM", 31270, 0, 68000, 32000, 26500, 69000, 15000, 6000),
            chunk("cHRM", 0, 0, 0, 0, 0, 0, 0, 0), chunk("cHRM", -1, -1, -1, -1, -1, -1, -1, -1),
            chunk("cHRM", 31270, 32900, 64000, 33000, 64000, 33000, 64000, 33000),
            chunk("iCCP"), Hostile.chunk("iCCP", [0]), Hostile.chunk("iCCP", [65, 0]),
            Hostile.chunk("iCCP", [65, 0, 0]), Hostile.chunk("iCCP", [65, 0, 1, 2, 3]),
            Hostile.chunk("iCCP", [UInt8](repeating: 65, count: 100)),
        ] {
            #expect(try picture(chunks) == plain)
        }
    }
}
