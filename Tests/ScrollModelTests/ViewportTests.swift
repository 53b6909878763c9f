import ScrollModel
import Testing

struct ViewportTests {
    private func viewport(offset: Double = 0) throws -> Viewport {
        Viewport(rows: try RowHeights(count: 20, height: 100), height: 250, offset: offset)
    }

    @Test func `the offset stays within the content`() throws {
        var viewport = try viewport(offset: 5_000)
        #expect(viewport.maximumOffset == 1_750)
        #expect(viewport.offset == 1_750)
        _ = viewport.scroll(to: -.infinity)
        #expect(viewport.offset == 0)
        #expect(viewport.visibleRows(at: 9_999) == 17..<20)
    }

    @Test func `a list shorter than its window cannot be scrolled`() throws {
        var viewport = Viewport(rows: try RowHeights([100]), height: 250)
        #expect(viewport.maximumOffset == 0)
        #expect(viewport.scroll(to: 50).isEmpty)
        #expect(viewport.visibleRows == 0..<1)
    }

    @Test func `rows come and go ascending on the way down`() throws {
        var viewport = try viewport()
        let change = viewport.scroll(to: 210)
        #expect(change.entered == [3, 4])
        #expect(change.left == [0, 1])
    }

    @Test func `rows come and go descending on the way up`() throws {
        var viewport = try viewport(offset: 400)
        let change = viewport.scroll(to: 180)
        #expect(change.entered == [3, 2, 1])
        #expect(change.left == [6, 5])
        #expect(viewport.scroll(to: 140).left == [4])
    }

    @Test func `a jump replaces all rows`() throws {
        var viewport = try viewport()
        let change = viewport.scroll(to: 1_000)
        #expect(change == VisibleChange(from: 0..<3, to: 10..<13))
        #expect(change.entered == [10, 11, 12])
        #expect(change.left == [0, 1, 2])
    }

    @Test func `shrinking content or growing windows bring the offset back`() throws {
        var viewport = try viewport(offset: 1_750)
        viewport.height = 500
        #expect(viewport.offset == 1_500)
        try viewport.rows.setHeight(0, ofRow: 0)
        #expect(viewport.offset == 1_400)
        viewport.rows = try RowHeights([])
        #expect(viewport.offset == 0)
        #expect(viewport.visibleRows.isEmpty)
    }

    @Test func `a window has a height, and an offset is a number`() async {
        await #expect(processExitsWith: .failure) {
            _ = Viewport(rows: try RowHeights([1]), height: -1)
        }
        await #expect(processExitsWith: .failure) {
            _ = Viewport(rows: try RowHeights([1]), height: .infinity)
        }
        await #expect(processExitsWith: .failure) {
            _ = Viewport(rows: try RowHeights([1]), height: 1).clamped(.nan)
        }
    }
}
