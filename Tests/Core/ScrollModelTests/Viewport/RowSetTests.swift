import TestSupport
import Testing

@testable import ScrollModel

struct RowSetTests {
    @Test(arguments: seeds(0..<200))
    func `answers like a sorted array`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var set = RowSet(0..<0)
        var rows: [Int] = []
        let first = Int.random(in: 5..<10, using: &random)
        var end = first
        for _ in 0..<Int.random(in: 0..<8, using: &random) {
            let start = end + Int.random(in: 0..<3, using: &random)
            end = start + Int.random(in: 0..<4, using: &random)
            set.append(start..<end)
            rows += start..<end
        }
        let last = rows.first ?? first
        let above = Int.random(in: 0..<5, using: &random)..<Int.random(in: 5...last, using: &random)
        set.prepend(above)
        rows = above + rows
        #expect(Array(set) == rows)
        #expect(set.count == rows.count)
        #expect(set.runs.flatMap(Array.init) == rows)
        #expect(set == RowSet(rows.map { $0..<$0 + 1 }))
        #expect(set.first == rows.first && set.last == rows.last)
        for row in -1..<40 {
            #expect(set.contains(row) == rows.contains(row))
        }
    }
}
