import TestSupport
import Testing

@testable import ScrollModel

/// Heights that follow the edits, against rows that bear their heights.
struct IndexedHeightCacheTests {
    @Test(arguments: 0..<2000 as Range<UInt64>)
    func `heights go where their rows go`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let counts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            Int.random(in: 0...5, using: &random)
        }
        var cache = IndexedHeightCache(rowCounts: counts, width: 320)
        var plain = PlainList()
        let estimates = ListLayout.Estimates(row: 0)
        var start = ListUpdates()
        for (section, rows) in counts.enumerated() { start.insertSection(section, rows: rows) }
        try plain.perform(start, estimates: estimates) { _ in nil }
        for _ in 0..<15 {
            switch random.next() % 4 {
            case 0:
                guard let (index, row) = plain.rows.randomElement(using: &random) else { continue }
                let height = Double(random.next() % 90)
                let expected = row.isMeasured ? row.height : height
                let found = cache.height(of: index) { _ in height }
                #expect(found == expected)
                plain.sections[index.section].rows[index.row].measure(expected)
            case 1:
                guard let (index, _) = plain.rows.randomElement(using: &random) else { continue }
                cache.invalidate(index)
                plain.sections[index.section].rows[index.row].isMeasured = false
            case 2:
                var left = Int.random(in: 0...4, using: &random)
                let missing = plain.rows.filter { !$0.row.isMeasured }.map(\.index)
                var asked: [RowIndex] = []
                let hasMore = cache.precompute {
                    left -= 1
                    return left > 0
                } measure: { row in
                    asked.append(row)
                    return Double(row.row)
                }
                #expect(Set(asked).isSubset(of: missing) && Set(asked).count == asked.count)
                #expect(hasMore == (asked.count < missing.count))
                for row in asked {
                    plain.sections[row.section].rows[row.row].measure(Double(row.row))
                }
            default:
                let updates = BatchMaker(plain).batch(&random)
                let before = cache
                do {
                    try cache.follow(updates)
                    try plain.perform(updates, estimates: estimates) { _ in nil }
                } catch {
                    #expect(cache == before)
                }
            }
            cache.checkInvariants()
            #expect(
                plain.rows.map { cache[$0.index] }
                    == plain.rows.map { $0.row.isMeasured ? $0.row.height : nil })
            #expect(cache.missingCount == plain.rows.count { !$0.row.isMeasured })
        }
    }

    @Test func `a stored zero is a height`() {
        var cache = IndexedHeightCache(rowCounts: [2], width: 320)
        let row = RowIndex(section: 0, row: 1)
        let (first, second) = (cache.height(of: row) { _ in 0 }, cache.height(of: row) { _ in 44 })
        #expect(first == 0 && second == 0)
        #expect(cache.missingCount == 1)
    }

    @Test func `another width forgets all, and the same one nothing`() {
        var cache = IndexedHeightCache(rowCounts: [2], width: 320)
        let row = RowIndex(section: 0, row: 1)
        _ = cache.height(of: row) { _ in 7 }
        cache.setWidth(320)
        #expect(cache[row] == 7)
        cache.setWidth(321)
        #expect(cache[row] == nil)
    }

    @Test func `all heights are computed in lulls, a row at least in each`() {
        var cache = IndexedHeightCache(rowCounts: [0, 3, 0, 2], width: 320)
        var slices = 1
        while cache.precompute(while: { false }, measure: { Double($0.row) }) { slices += 1 }
        #expect(slices == 5)
        #expect(cache.missingCount == 0)
        cache.invalidate(RowIndex(section: 1, row: 1))
        let hasMore = cache.precompute(while: { true }, measure: { _ in 9 })
        #expect(!hasMore)
        #expect(cache[RowIndex(section: 1, row: 1)] == 9)
    }
}
