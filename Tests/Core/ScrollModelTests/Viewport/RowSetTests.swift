import TestSupport
import Testing

@testable import ScrollModel

struct RowSetTests {
    @Test(arguments: seeds(0..<200))
    func `answers like a sorted array`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var set = RowSet(0..<0)
        var rows: [Int] = []
        var end = Int.random(in: 0..<5, using: &random)
        for _ in 0..<Int.random(in: 0..<8, using: &random) {
            let start = end + Int.random(in: 0..<3, using: &random)
            end = start + Int.random(in: 0..<4, using: &random)
            set.append(start..<end)
            rows += start..<end
        }
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
