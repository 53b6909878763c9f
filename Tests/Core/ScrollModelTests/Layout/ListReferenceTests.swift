import ScrollModel
import Testing

/// What react-window's own tests say of lists of equal rows (lib/core/getStartStopIndices.test.ts and
/// getOffsetForIndex.test.ts).
struct ListReferenceTests {
    @Test(
        arguments: [
            (0, 0.0, 0..<0), (2, 0, 0..<2), (10, 0, 0..<4), (10, 100, 4..<8), (10, 150, 6..<10),
            (10, -50, 0..<2), (10, 200, 8..<10), (100, 2400, 96..<100), (100, 100, 4..<8),
        ])
    func `rows of 25 px in a window of 100`(count: Int, offset: Double, rows: Range<Int>) throws {
        let list = try ListLayout(rowCounts: [count], estimates: .init(row: 25))
        #expect(list.visibleRows(offset: offset, height: 100) == rows)
        let heights = try RowHeights(count: count, height: 25)
        #expect(ListLayout(heights).visibleRows(offset: offset, height: 100) == rows)
    }

    @Test(
        arguments: zip(
            [Viewport.RowPlace.top, .middle, .bottom],
            [
                [0, 10, 20, 30, 40, 50, 50, 50, 50, 50], [0, 0, 0, 10, 20, 30, 40, 50, 50, 50],
                [0, 0, 0, 0, 0, 10, 20, 30, 40, 50],
            ]))
    func `where a row of 10 px is shown in a window of 50`(
        place: Viewport.RowPlace, offsets: [Double]
    ) throws {
        let list = try ListLayout(rowCounts: [10], estimates: .init(row: 10))
        let viewport = Viewport(list, height: 50)
        let found = (0..<10).map {
            viewport.offset(showing: RowIndex(section: 0, row: $0), at: place)
        }
        #expect(found == offsets)
    }

    @Test(arguments: [(0, 0.0, 0.0), (4, 0, 0), (5, 0, 10), (9, 0, 50), (0, 100, 0), (4, 100, 40)])
    func `the shortest way to a row`(row: Int, from offset: Double, to target: Double) throws {
        let list = try ListLayout(rowCounts: [10], estimates: .init(row: 10))
        let viewport = Viewport(list, height: 50, offset: offset)
        #expect(viewport.offset(showing: RowIndex(section: 0, row: row), at: .nearest) == target)
    }
}
