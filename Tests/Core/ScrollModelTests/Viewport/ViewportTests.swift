import ScrollModel
import TestSupport
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
        let change = viewport.scroll(to: 50)
        #expect(change.entered.isEmpty && change.left.isEmpty)
        #expect(viewport.visibleRows == 0..<1)
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

/// Insets, and going to rows.
struct ViewportRowTests {
    private let viewport: Viewport

    init() throws {
        let list = ListLayout(try RowHeights(count: 20, height: 100))
        viewport = Viewport(
            list, height: 400, insets: .init(top: 50, bottom: 30), offset: -.infinity)
    }

    @Test func `a list rests inside of what covers its window`() {
        #expect(viewport.offset == -50)
        #expect(viewport.maximumOffset == 2_000 + 30 - 400)
        #expect(viewport.visibleRows == 0..<4)
        var small = viewport
        small.list = ListLayout(RowHeights())
        #expect(small.maximumOffset == -50)
        #expect(small.visibleRows.isEmpty)
    }

    @Test func `a row can be had at the top, in the middle, at the bottom, or as near as can be`() {
        let row = RowIndex(section: 0, row: 10)
        #expect(viewport.offset(showing: row, at: .top) == 950)
        #expect(viewport.offset(showing: row, at: .bottom) == 730)
        #expect(viewport.offset(showing: row, at: .middle) == 840)
        #expect(viewport.offset(showing: row, at: .nearest) == 730)
        var moved = viewport
        moved.scroll(to: 800)
        #expect(moved.offset(showing: row, at: .nearest) == 800)
        moved.scroll(to: 1_500)
        #expect(moved.offset(showing: row, at: .nearest) == 950)
        #expect(
            Array(moved.scroll(to: moved.offset(showing: row, at: .top)).entered) == [
                13, 12, 11, 10, 9,
            ])
        let last = RowIndex(section: 0, row: 19)
        #expect(viewport.offset(showing: last, at: .top) == viewport.maximumOffset)
    }

    @Test(arguments: seeds(0..<200))
    func `what was passed is what a list of both would say`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func range() -> Range<Int> {
            let start = Int(random.next() % 12)
            return start..<start + Int(random.next() % 6)
        }
        let (old, new) = (range(), range())
        let change = VisibleChange(from: RowSet(old), to: RowSet(new))
        let isUpwards = new.lowerBound < old.lowerBound || new.upperBound < old.upperBound
        let entered = new.filter { !old.contains($0) }
        let left = old.filter { !new.contains($0) }
        #expect(Array(change.entered) == (isUpwards ? entered.reversed() : entered))
        #expect(Array(change.left) == (isUpwards ? left.reversed() : left))
    }
}
