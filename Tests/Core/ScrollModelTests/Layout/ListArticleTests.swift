import ListCells
import ScrollModel
import Testing

/// The examples of lists on the module's page.
struct ListArticleTests {
    @Test func `the page's list does what it says`() throws {
        var list = Viewport(try ListLayout(rowCounts: [3, 10_000_000]), height: 800)
        list.scroll(to: list.offset(showing: RowIndex(section: 1, row: 5_000_000), at: .top))
        let update = try list.perform([
            .deleteRow(RowIndex(section: 0, row: 1)), .insertRow(RowIndex(section: 1, row: 0)),
        ])
        let top = RowIndex(section: 1, row: 5_000_001)
        #expect(update.mapping.newIndex(of: RowIndex(section: 1, row: 5_000_000)) == top)
        #expect(list.list.extent(of: .row(top)).offset == list.offset)
        try list.measure(120, of: .row(RowIndex(section: 1, row: 7)))
        #expect(list.list.extent(of: .row(top)).offset == list.offset)
        #expect(update.entered.isEmpty && update.left.isEmpty)
    }

    @Test func `the page's grid does what it says`() throws {
        func draw(_ position: Int, _ frame: RowFrame) {
            #expect(frame.x >= 0 && frame.x + frame.width <= 1200.01)
        }
        let flow = LineFlow(.justified(height: 180), width: 1200, spacing: 4)
        var grid = Viewport(
            try ListLayout(rowCounts: [100_000], estimates: .init(row: 1.5), flow: flow),
            height: 800)
        try grid.measure(0.75, of: .row(RowIndex(section: 0, row: 3)))
        for position in grid.visibleRows { draw(position, grid.list.frame(ofRowAt: position)) }
        #expect(grid.list.line(ofRowAt: 0) == 0..<5)
        try grid.arrange(LineFlow(.adaptive(minimumWidth: 160), width: 390))
        #expect(grid.list.line(ofRowAt: 0) == 0..<2)
    }

    @Test func `cells go with their rows through a batch`() throws {
        var list = Viewport(try ListLayout(rowCounts: [4, 4]), height: 200)
        var pool = ReusePool<String, RowIndex, Int>()
        var made = 0
        func layout(following mapping: IndexMapping) {
            let rows = list.visibleRows.map { list.list.row(atPosition: $0) }
            pool.layout(
                rows, at: list.visibleRows.lowerBound, following: { mapping.newIndex(of: $0) },
                prepare: { _ in }
            ) { _, pass in
                pass.dequeue("cell") {
                    made += 1
                    return made
                }
            }
        }
        layout(following: .none)
        #expect(made == 5)
        let cell = pool[RowIndex(section: 1, row: 0)]
        let update = try list.perform([
            .moveRow(RowIndex(section: 1, row: 0), to: RowIndex(section: 0, row: 1)),
            .deleteRow(RowIndex(section: 0, row: 3)),
        ])
        layout(following: update.mapping)
        #expect(pool[RowIndex(section: 0, row: 1)] == cell)
        #expect(made == 5)
    }
}
