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
        viewport.scroll(to: -.infinity)
        #expect(viewport.offset == 0)
        #expect(viewport.visibleRows(at: 9_999) == 17..<20)
    }

    @Test func `a list shorter than its window cannot be scrolled`() throws {
        var viewport = Viewport(rows: try RowHeights([100]), height: 250)
        #expect(viewport.maximumOffset == 0)
        viewport.scroll(to: 50)
        #expect(viewport.offset == 0)
        #expect(viewport.visibleRows == 0..<1)
    }

    @Test func `a section's header floats until the next one pushes it away`() throws {
        let sections = try ListLayout(
            rowCounts: [2, 0, 0, 2], estimates: .init(row: 100, header: 30))
        var viewport = Viewport(sections, height: 100)
        func floating(at offset: Double) -> [Double]? {
            viewport.scroll(to: offset)
            return viewport.floatingHeader.map { [Double($0.section), $0.offset] }
        }
        #expect(floating(at: 0) == [0, 0])
        #expect(floating(at: 200) == [0, 0])
        #expect(floating(at: 215) == [0, -15])
        #expect(floating(at: 230) == [1, 0])
        #expect(floating(at: 240) == [1, -10])
        try viewport.list.setHeight(0, of: .header(section: 1))
        #expect(floating(at: 240) == [2, -10])
        #expect(floating(at: 300) == [3, 0])
        try viewport.list.setHeight(50, of: .listHeader)
        try viewport.list.setHeight(150, of: .listFooter)
        #expect(floating(at: 20) == nil)
        #expect(floating(at: 50) == [0, 0])
        #expect(floating(at: .infinity) == nil)
        #expect(Viewport(rows: RowHeights(), height: 100).floatingHeader?.section == nil)
    }

    @Test func `shrinking content or growing windows bring the offset back`() throws {
        var viewport = try viewport(offset: 1_750)
        viewport.height = 500
        #expect(viewport.offset == 1_500)
        try viewport.list.setHeight(0, of: .row(RowIndex(section: 0, row: 0)))
        #expect(viewport.offset == 1_400)
        viewport.list = ListLayout(RowHeights())
        #expect(viewport.offset == 0)
        #expect(viewport.visibleRows.isEmpty)
    }
}
