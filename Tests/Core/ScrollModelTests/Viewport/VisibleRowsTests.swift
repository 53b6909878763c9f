import ScrollModel
import Testing

struct VisibleRowsTests {
    private let rows: ListLayout

    init() throws { rows = ListLayout(try RowHeights(count: 10, height: 100)) }

    @Test func `rows that touch the window only with an edge are not visible`() {
        #expect(rows.visibleRows(offset: 200, height: 300) == 2..<5)
    }

    @Test func `rows that show one step are visible`() {
        #expect(rows.visibleRows(offset: 199, height: 302) == 1..<6)
        #expect(rows.visibleRows(offset: 200, height: 300.0009) == 2..<6)
    }

    @Test func `the last row ends the range where the content ends first`() {
        #expect(rows.visibleRows(offset: 850, height: 400) == 8..<10)
        #expect(rows.visibleRows(offset: 1_000, height: 400) == 10..<10)
    }

    @Test func `a window that begins above the content sees the rows from the first`() {
        #expect(rows.visibleRows(offset: -150, height: 300) == 0..<2)
        #expect(rows.visibleRows(offset: -150, height: 150).isEmpty)
    }

    @Test func `a window without height shows the row that it cuts, if it cuts one`() {
        #expect(rows.visibleRows(offset: 250, height: 0) == 2..<3)
        #expect(rows.visibleRows(offset: 200, height: 0).isEmpty)
    }

    @Test func `rows without height are never in view`() throws {
        let rows = ListLayout(try RowHeights([0, 0, 100, 0, 0, 100, 0]))
        #expect(rows.visibleRows(offset: 0, height: 100) == 2..<3)
        #expect(Array(rows.visibleRows(offset: 0, height: 150)) == [2, 5])
        #expect(rows.visibleRows(offset: 0, height: 150).bounds == 2..<6)
        #expect(rows.visibleRows(offset: 100, height: 100) == 5..<6)
        #expect(rows.visibleRows(offset: 100, height: 300) == 5..<6)
    }

    @Test func `a list in which no row has height shows none`() throws {
        for rows in [try RowHeights([0, 0]), try RowHeights(count: 2, height: 0)] {
            #expect(ListLayout(rows).visibleRows(offset: 0, height: 800).isEmpty)
        }
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

    @Test func `rows that pass are those of the sets, in the direction of scrolling`() throws {
        let heights = (0..<60).map { $0 % 3 == 1 ? 0.0 : 50 }
        var viewport = Viewport(rows: try RowHeights(heights), height: 200)
        let before = viewport.visibleRows
        let down = viewport.scroll(to: 120)
        let after = viewport.visibleRows
        #expect(Array(down.entered) == after.filter { !before.contains($0) })
        #expect(Array(down.left) == before.filter { !after.contains($0) })
        let up = viewport.scroll(to: 0)
        #expect(Array(up.entered) == down.left.reversed())
        #expect(Array(up.left) == down.entered.reversed())
    }
}
