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
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                cache.invalidate(key)
                plain.invalidate(key)
            case 1:
                cache.invalidate(width: width)
                plain.invalidate(width: width)
            case 3...4:
                var measures = false
                try cache.precompute(key, width: width) {
                    measures = true
                    return measured
                }
                #expect(measures == plain.precompute(key, width, measured: measured))
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

    @Test func `the key that wasn't asked for for longest goes first`() throws {
        var cache = KeyedHeightCache<String>(limit: 2)
        for key in ["a", "b", "a", "c"] { _ = try cache.height(for: key, width: 320) { 44 } }
        #expect(cache.storedHeight(for: "a", width: 320) == 44)
        #expect(cache.storedHeight(for: "b", width: 320) == nil)
        #expect(cache.storedHeight(for: "c", width: 320) == 44)
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
        #expect(throws: KeyedHeightError.self) { try cache.precompute(1, width: 480) { .nan } }
        #expect(cache.storedHeight(for: 1, width: 320) == 50)
        #expect(cache.widths == [320])
        cache.checkInvariants()
    }

    @Test func `a height that nobody asked for is the first to go`() throws {
        var cache = KeyedHeightCache<Int>(limit: 3)
        try cache.store(44, for: 1, width: 320)
        for key in 2...4 { try cache.precompute(key, width: 320) { 44 } }
        try cache.store(44, for: 5, width: 320)
        let kept = (1...5).filter { cache.storedHeight(for: $0, width: 320) != nil }
        #expect(kept == [1, 2, 5])
    }
}

/// What went wrong with heights by key in FDTemplateLayoutCell.
struct KeyedHeightFaultTests {
    @Test func `FD: a stored 0 is measured again and falls back to 44`() throws {
        var cache = KeyedHeightCache<String>()
        var measured = 0
        for _ in 0..<3 {
            let height = try cache.height(for: "collapsed", width: 320) {
                measured += 1
                return 0
            }
            #expect(height == 0)
        }
        #expect(measured == 1)
        #expect(cache.storedHeight(for: "collapsed", width: 320) == 0)
        #expect(cache.storedHeight(for: "unknown", width: 320) == nil)
    }

    @Test func `FD: heights are told apart by orientation and not by width`() throws {
        var cache = KeyedHeightCache<String>()
        // Both portrait: a split screen that is made wider.
        #expect(try cache.height(for: "text", width: 320) { 120 } == 120)
        #expect(try cache.height(for: "text", width: 507) { 80 } == 80)
        #expect(try cache.height(for: "text", width: 320) { 0 } == 120, "turned back: still known")
        cache.invalidate(width: 320)
        #expect(cache.storedHeight(for: "text", width: 320) == nil)
        #expect(cache.storedHeight(for: "text", width: 507) == 80)
    }

    @Test func `FD: heights are kept for ever`() throws {
        var cache = KeyedHeightCache<Int>(limit: 100)
        for width in [320.0, 480, 1024] {
            for key in 0..<1_000 { try cache.store(44, for: key, width: width) }
        }
        #expect(cache.count == 100)
        #expect(cache.widths.count == 2)
        cache.checkInvariants()
    }
}
