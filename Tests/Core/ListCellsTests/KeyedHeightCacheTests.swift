import TestSupport
import Testing

@testable import ListCells

struct KeyedHeightCacheTests {
    @Test(arguments: seeds(0..<1500))
    func `answers, measures and forgets like plain lists`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let limit = Int.random(in: 1...12, using: &random)
        let widths = Int.random(in: 1...3, using: &random)
        var plain = PlainHeights(limit: limit, widths: widths)
        var cache = KeyedHeightCache<String>(limit: limit, widths: widths)
        for _ in 0..<80 {
            let key = "\(Int.random(in: 0..<15, using: &random))"
            let width = Double([320, 480, 768, 1024].randomElement(using: &random) ?? 0)
            // Every fourth height is 0.
            let measured = Double(max(0, Int.random(in: -10...30, using: &random)))
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                cache.invalidate(key)
                plain.invalidate(key)
            case 1:
                cache.invalidate(width: width)
                plain.invalidate(width: width)
            default:
                let known = plain.height(key, width)
                var measures = false
                let height = try cache.height(for: key, width: width) {
                    measures = true
                    return measured
                }
                #expect(height == known ?? measured)
                #expect(measures != plain.ask(key, width, measured: measured))
            }
            check(cache, against: plain)
        }
    }

    private func check(_ cache: KeyedHeightCache<String>, against plain: PlainHeights) {
        cache.checkInvariants()
        #expect(cache.count == plain.keys.count)
        #expect(cache.widths == plain.widths)
        for key in (0..<15).map(String.init) {
            for width in [320.0, 480, 768, 1024] {
                #expect(
                    cache.storedHeight(for: key, width: width) == plain.height(key, width))
            }
        }
    }

    @Test func `a height measured elsewhere replaces the one that is stored`() throws {
        var cache = KeyedHeightCache<Int>()
        try cache.store(50, for: 1, width: 320)
        try cache.store(60, for: 1, width: 320)
        #expect(try cache.height(for: 1, width: 320) { 44 } == 60)
        #expect(cache.count == 1)
    }

    @Test func `a height that can't be is refused and changes nothing`() throws {
        var cache = KeyedHeightCache<Int>(limit: 1, widths: 1)
        try cache.store(50, for: 1, width: 320)
        #expect(throws: KeyedHeightError.negative(height: -1)) {
            try cache.height(for: 2, width: 480) { -1 }
        }
        #expect(throws: KeyedHeightError.notFinite(height: .infinity)) {
            try cache.store(.infinity, for: 1, width: 320)
        }
        #expect(throws: KeyedHeightError.self) { try cache.store(.nan, for: 1, width: 320) }
        #expect(cache.storedHeight(for: 1, width: 320) == 50)
        #expect(cache.widths == [320])
        cache.checkInvariants()
    }
}
