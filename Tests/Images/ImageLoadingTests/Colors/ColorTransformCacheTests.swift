import CLullPictureCodecs
import CPictureEncoders
@testable import ImageLoading
import Testing

@Suite struct `Profiles used last` {
    private var recent = ColorTransformCache()

    private func profile(_ number: Int) -> ColorProfile {
        .gamut(.displayP3, gamma: 1 + Double(number) / 100)
    }

    private mutating func keep(_ numbers: ClosedRange<Int>) {
        for number in numbers {
            let colors = ColorTransform(profile(number), for: .RGB)
            recent.keep(colors, of: profile(number), for: .RGB)
        }
    }

    private mutating func finds(_ number: Int) -> Bool {
        recent.find(profile(number), for: .RGB) != nil
    }

    @Test mutating func `are eight`() throws {
        keep(1...8)
        #expect(finds(1))
        keep(9...9)
        #expect(finds(1) && !finds(2) && finds(3) && finds(9))
    }

    @Test mutating func `have two megabytes together`() {
        keep(1...1)
        let nonsense = (0..<3).map { ColorProfile.iccBytes([UInt8](repeating: $0, count: 1 << 20)) }
        for profile in nonsense { recent.keep(nil, of: profile, for: .RGB) }
        #expect(!finds(1))
        #expect(nonsense.map { recent.find($0, for: .RGB) != nil } == [false, true, true])
        let large = ColorProfile.iccBytes([UInt8](repeating: 0, count: 1 + 2 << 20))
        recent.keep(nil, of: large, for: .RGB)
        #expect(recent.find(large, for: .RGB) == nil)
    }

    @Test(arguments: [TestProfile.displayP3, .table])
    func `are the same on many threads at once`(profile: TestProfile) async throws {
        let bytes = Tagged.png(Sample(48, 32).rgbPNG(), profile: profile.bytes)
        let picture = try decode(bytes)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { (0..<5).allSatisfy { _ in (try? decode(bytes)) == picture } }
            }
            for await isSame in group { #expect(isSame) }
        }
    }
}
