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

    @Test func `rows without height neither begin the range nor end it`() throws {
        let rows = ListLayout(try RowHeights([0, 0, 100, 0, 0, 100, 0]))
        #expect(rows.visibleRows(offset: 0, height: 100) == 2..<3)
        #expect(rows.visibleRows(offset: 0, height: 150) == 2..<6)
        #expect(rows.visibleRows(offset: 100, height: 100) == 5..<6)
        #expect(rows.visibleRows(offset: 100, height: 300) == 5..<6)
    }

    @Test func `a list in which no row has height shows none`() throws {
        for rows in [try RowHeights([0, 0]), try RowHeights(count: 2, height: 0)] {
            #expect(ListLayout(rows).visibleRows(offset: 0, height: 800).isEmpty)
        }
    }
}
