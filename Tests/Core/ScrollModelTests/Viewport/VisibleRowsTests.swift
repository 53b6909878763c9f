import ScrollModel
import Testing

struct VisibleRowsTests {
    @Test func `rows that show one step are visible`() throws {
        let rows = ListLayout(try RowHeights(count: 10, height: 100))
        #expect(rows.visibleRows(offset: 200, height: 300) == 2..<5)
        #expect(rows.visibleRows(offset: 199.9991, height: 300.0018) == 1..<6)
    }

    @Test func `sections without rows and lines without height show no rows`() throws {
        var grid = try ListLayout(
            rowCounts: [0, 6, 0, 0, 3], estimates: .init(row: 40, header: 10),
            flow: LineFlow(.columns(3), width: 300, spacing: 4))
        #expect(grid.visibleRows(offset: 0, height: 200) == 0..<9)
        for row in 0..<3 { try grid.setHeight(0, of: .row(RowIndex(section: 1, row: row))) }
        #expect(grid.visibleRows(offset: 0, height: 200) == 3..<9)
        var elements: [ListElement] = []
        grid.forEachElement(offset: 0, height: 200) { element, _ in elements.append(element) }
        #expect(elements.count == 5 + 6)
        #expect(!elements.contains(.row(RowIndex(section: 1, row: 0))))
        // A line is as high as its highest row.
        try grid.setHeight(20, of: .row(RowIndex(section: 1, row: 1)))
        #expect(grid.visibleRows(offset: 0, height: 200) == 0..<9)
    }

    @Test func `of very low rows those are in view that cover a quarter of a pixel`() throws {
        let rows = ListLayout(try RowHeights(count: 10_000_000, height: 0.001))
        let seen = rows.visibleRows(offset: 1, height: 4_000)
        #expect(seen.count == 4 * 4_000)
        #expect(Array(seen.prefix(3)) == [1_024, 1_280, 1_536])
        let hairlines = ListLayout(try RowHeights((0..<100).map { $0 % 2 == 0 ? 10 : 0.25 }))
        #expect(hairlines.visibleRows(offset: 0, height: 100) == 0..<19)
    }

    @Test(arguments: [1, 7, 8, 9, 500], [0, 0.01])
    func `elements are found behind any number of rows without pixels`(
        number: Int, height: Double
    ) throws {
        let heights = (0..<3_000).map { $0 % (number + 1) == 0 ? 10 : height }
        let list = ListLayout(try RowHeights(heights))
        var rows: [Int] = []
        list.forEachElement(offset: 5, height: 1_000) { element, _ in
            if case .row(let row) = element { rows.append(row.row) }
        }
        #expect(rows == Array(list.visibleRows(offset: 5, height: 1_000)))
    }

    @Test func `lines around others are the next ones with pixels`() throws {
        var list = try ListLayout(rowCounts: [20, 0, 20], estimates: .init(row: 10, header: 5))
        for row in 5..<18 { try list.setHeight(0, of: .row(RowIndex(section: 0, row: row))) }
        #expect(Array(list.rows(RowSet(4..<5), before: 2, after: 4)) == [2, 3, 4, 18, 19, 20, 21])
        #expect(Array(list.rows(RowSet(20..<21), before: 3, after: 0)) == [4, 18, 19, 20])
        #expect(list.rows(RowSet(0..<1), before: 3, after: 0) == 0..<1)
        #expect(list.rows(RowSet(39..<40), before: 0, after: 3) == 39..<40)
        // However many sections show only their headers, few of them are passed over.
        let closed = try ListLayout(
            rowCounts: Array(repeating: 1, count: 1_000), estimates: .init(row: 0, header: 10))
        #expect(closed.rows(RowSet(0..<0), before: 0, after: 3).isEmpty)
    }
}
