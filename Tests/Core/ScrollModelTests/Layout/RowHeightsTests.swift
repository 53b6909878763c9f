import TestSupport
import Testing

@testable import ScrollModel

struct RowHeightsTests {
    @Test(arguments: seeds(0..<400))
    func `answers like a plain array, after any edits`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var plain = PlainRows(heights: [])
        let count = Int.random(in: 0...40, using: &random)
        for _ in 0..<count { plain.heights.append(height(using: &random)) }
        var rows = try RowHeights(plain.heights)
        check(rows, against: plain, using: &random)
        for _ in 0..<25 where count > 0 {
            let row = Int.random(in: 0..<count, using: &random)
            plain.heights[row] = height(using: &random)
            try rows.setHeight(plain.heights[row], ofRow: row)
            check(rows, against: plain, using: &random)
        }
        #expect(
            rows.sums == (try RowHeights(plain.heights)).sums,
            "no trace of the order of edits is left")
    }

    @Test func `heights that no binary fraction holds are rounded, and sums stay exact`() throws {
        var rows = try RowHeights(Array(repeating: 0.1, count: 1_000))
        #expect(rows[0] == 102.0 / 1024)
        #expect(rows.contentHeight == 102_000.0 / 1024)
        for row in 0..<1_000 { try rows.setHeight(33.3, ofRow: row) }
        for row in (0..<1_000).reversed() { try rows.setHeight(0.1, ofRow: row) }
        #expect(rows.contentHeight == 102_000.0 / 1024)
    }

    @Test func `a height that cannot be is refused with its row`() throws {
        #expect(throws: RowHeightsError.negative(row: 1, height: -1)) {
            try RowHeights([44, -1, .nan])
        }
        #expect(throws: RowHeightsError.notFinite(row: 2, height: .infinity)) {
            try RowHeights([44, 44, .infinity])
        }
        let half = RowHeights.maximumContentHeight / 2
        #expect(throws: RowHeightsError.tooLarge(row: 2, height: 1)) {
            try RowHeights([half, half, 1])
        }
        #expect(throws: RowHeightsError.tooLarge(row: 2, height: half)) {
            try RowHeights(count: .max, height: half)
        }
        var error: RowHeightsError?
        do { _ = try RowHeights([.nan]) } catch let caught { error = caught }
        guard case .notFinite(row: 0, _) = error else {
            Issue.record("expected notFinite, found \(String(describing: error))")
            return
        }
    }

    @Test func `a number of rows that cannot be is refused`() throws {
        for count in [-1, .min, (1 << 40) + 1, .max] {
            #expect(throws: RowHeightsError.count(count)) {
                try RowHeights(count: count, height: 0)
            }
            #expect(throws: RowHeightsError.count(count)) {
                var rows = try RowHeights(count: 3, height: 0)
                try rows.insert(height: 0, count: count, at: 1)
            }
            let row = ListElement.row(RowIndex(section: 1, row: 0))
            #expect(throws: ListUpdateError.height(row, .count(count))) {
                try ListLayout(rowCounts: [4, count], estimates: .init(row: 0))
            }
        }
        let most = try RowHeights(count: 1 << 40, height: 0)
        let second = ListElement.row(RowIndex(section: 1, row: 0))
        #expect(throws: ListUpdateError.height(second, .count(1 << 40))) {
            try ListLayout([RowHeights(), most].map { SectionHeights(rows: $0) })
        }
    }

    @Test func `a refused height leaves the list as it was`() throws {
        var rows = try RowHeights(count: 3, height: 44)
        #expect(throws: RowHeightsError.negative(row: 1, height: -0.5)) {
            try rows.setHeight(-0.5, ofRow: 1)
        }
        let most = RowHeights.maximumContentHeight
        #expect(throws: RowHeightsError.tooLarge(row: 1, height: most)) {
            try rows.setHeight(most, ofRow: 1)
        }
        #expect(throws: RowHeightsError.tooLarge(row: 1, height: most)) {
            try rows.insert(height: most, at: 1)
        }
        rows.checkInvariants()
        #expect(rows.sums == (try RowHeights([44, 44, 44])).sums)
    }

    @Test func `the largest content is still told apart to a step`() throws {
        let rows = try RowHeights([RowHeights.maximumContentHeight - 1, 1])
        #expect(rows.contentHeight == RowHeights.maximumContentHeight)
        #expect(rows.row(at: rows.contentHeight - 1.0 / 1024) == 1)
        #expect(rows.row(at: rows.contentHeight) == nil)
        #expect(rows.row(at: .greatestFiniteMagnitude) == nil)
    }

    /// A third of the rows have no height; all heights are quarters, so that sums are exact.
    private func height(using random: inout SplitMix64) -> Double {
        Double(max(0, Int.random(in: -200...400, using: &random))) / 4
    }

    private func check(
        _ rows: RowHeights, against plain: PlainRows, using random: inout SplitMix64
    ) {
        let content = plain.heights.reduce(0, +)
        #expect(rows.count == plain.heights.count)
        #expect(rows.contentHeight == content)
        #expect(rows.offset(ofRow: rows.count) == content)
        for row in plain.heights.indices {
            #expect(rows[row] == plain.heights[row])
            #expect(rows.offset(ofRow: row) == plain.end(ofRow: row) - plain.heights[row])
        }
        var offsets = (0..<8).map { _ in Double.random(in: -50...(content + 50), using: &random) }
        // Edges are where mistakes are.
        if let row = plain.heights.indices.randomElement(using: &random) {
            offsets.append(plain.end(ofRow: row))
        }
        for offset in offsets {
            let height = Double(Int.random(in: 0...300, using: &random))
            #expect(rows.row(at: offset) == plain.row(at: offset))
            let visible = ListLayout(rows).visibleRows(offset: offset, height: height)
            #expect(Array(visible) == plain.visibleRows(offset: offset, height: height))
            if visible.isEmpty {
                #expect(visible.lowerBound == plain.row(at: offset + height) ?? rows.count)
            }
        }
    }
}
