import ScrollModel
import TestSupport
import Testing

/// What is seen stays where it is when rows change.
struct AnchorTests {
    private func row(_ section: Int, _ row: Int) -> RowIndex {
        RowIndex(section: section, row: row)
    }

    /// Ten rows of an estimated 100 px, of which rows 2 to 4 show.
    private func estimated() throws -> Viewport {
        let list = try ListLayout(rowCounts: [10], estimates: .init(row: 100))
        return Viewport(list, height: 250, offset: 220)
    }

    @Test func `a row that is first measured moves what is below the fold if it begins above it`()
        throws
    {
        var viewport = try estimated()
        #expect(try viewport.measure(150, of: .row(row(0, 1))) == 50)
        #expect(try viewport.measure(130, of: .row(row(0, 2))) == 30)  // cut by the fold
        #expect(try viewport.measure(30, of: .row(row(0, 4))) == 0)  // below
        #expect(viewport.offset == 300)
    }

    @Test func `one that is measured again moves it only from above, and not on the way up`() throws
    {
        var viewport = try estimated()
        try viewport.measure(100, of: .row(row(0, 1)))
        try viewport.measure(100, of: .row(row(0, 2)))
        #expect(try viewport.measure(140, of: .row(row(0, 2))) == 0)
        #expect(try viewport.measure(110, of: .row(row(0, 1))) == 10)
        viewport.scroll(to: viewport.offset - 5)
        #expect(viewport.direction == -1)
        #expect(try viewport.measure(190, of: .row(row(0, 1))) == 0)
    }

    @Test(arguments: [nil, LineFlow(.columns(1), width: 100)])
    func `a header of the list comes into view at the top, and moves nothing further down`(
        flow: LineFlow?
    ) throws {
        var viewport = try estimated()
        try viewport.arrange(flow)
        try viewport.measure(80, of: .listFooter)
        viewport.scroll(to: 0)
        viewport.scroll(to: 220)
        #expect(try viewport.measure(60, of: .listHeader) == 60)
        #expect(try viewport.measure(50, of: .header(section: 0)) == 50)
        #expect(viewport.visibleRows == 2..<5)
        #expect(viewport.list.contentHeight == 1_190)
        viewport.scroll(to: 0)
        viewport = Viewport(viewport.list, height: 250)
        #expect(try viewport.measure(90, of: .listHeader) == 0)
        #expect(viewport.offset == 0)
        #expect(viewport.list.element(at: 0) == .listHeader)
        #expect(viewport.list.element(at: 90) == .header(section: 0))
        // One of no height has nothing above the fold.
        viewport = Viewport(try ListLayout(rowCounts: [10], flow: flow), height: 250)
        #expect(try viewport.measure(90, of: .listHeader) == 0)
    }

    @Test func `nothing moves a list that is animated to its target`() throws {
        var viewport = try estimated()
        viewport.phase = .animating(target: 0)
        #expect(try viewport.measure(150, of: .row(row(0, 0))) == 0)
    }

    @Test func `a given row stays, or the end, or the offset`() throws {
        var viewport = try estimated()
        #expect(try viewport.measure(150, of: .row(row(0, 3)), anchor: .row(row(0, 4))) == 50)
        #expect(try viewport.measure(150, of: .row(row(0, 4)), anchor: .row(row(0, 4))) == 0)
        #expect(try viewport.measure(150, of: .row(row(0, 0)), anchor: .offset) == 0)
        viewport.scroll(to: .infinity)
        let end = viewport.offset
        #expect(try viewport.measure(180, of: .row(row(0, 9)), anchor: .end(threshold: 10)) == 80)
        #expect(viewport.offset == end + 80)
        viewport.scroll(to: viewport.offset - 30)
        #expect(try viewport.measure(200, of: .row(row(0, 9)), anchor: .end(threshold: 10)) == 0)
    }

    @Test func `a given row stays when one before it loses or gains all its height`() throws {
        var viewport = try estimated()
        let (before, anchor) = (ListElement.row(row(0, 2)), row(0, 3))
        let gap = viewport.list.extent(of: .row(anchor)).offset - viewport.offset
        for height in [0.0, 70, 0] {
            try viewport.measure(height, of: before, anchor: .row(anchor))
            #expect(viewport.list.extent(of: .row(anchor)).offset - viewport.offset == gap)
        }
    }

    @Test func `rows that come above the fold move nothing that is seen`() throws {
        var viewport = try estimated()
        var updates = [ListUpdate]()
        for number in 0..<5 { updates.append(.insertRow(row(0, number))) }
        try viewport.perform(updates)
        #expect(viewport.offset == 720)
        #expect(viewport.visibleRows == 7..<10)
    }

    @Test func `when the first row in view goes, the next one stays`() throws {
        var viewport = try estimated()
        try viewport.perform([.deleteRow(row(0, 2))])
        #expect(viewport.offset == 120)
        #expect(viewport.visibleRows == 1..<4)
    }

    @Test func `a row that is reloaded holds its place`() throws {
        var viewport = try estimated()
        let mapping = try viewport.perform([.reloadRow(row(0, 2))]) { _ in 170 }
        #expect(viewport.offset == 220)
        #expect(mapping.newIndex(of: row(0, 2)) == nil && mapping.reloaded == [row(0, 2)])
        #expect(viewport.visibleRows == 2..<4)
    }

    @Test(arguments: seeds(0..<2000))
    func `whatever happens, a row in view that survives stays where it is`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var plain = PlainList()
        let estimates = ListLayout.Estimates(row: 40, header: 10, footer: 0)
        var start = [ListUpdate]()
        for section in 0..<4 {
            start.append(.insertSection(section, rows: Int(random.next() % 12)))
        }
        try plain.perform(start, estimates: estimates) { _ in nil }
        let list = try ListLayout(
            rowCounts: plain.sections.map(\.rows.count), estimates: estimates)
        var viewport = Viewport(list, height: 160)
        for _ in 0..<12 {
            viewport.scroll(to: Double(random.next() % 1_000))
            let (old, seen) = (viewport, viewport.visibleRows)
            let updates = BatchMaker(plain).batch(&random)
            guard let mapping = try? viewport.perform(updates, measure: { _ in nil }) else {
                #expect(viewport == old)
                continue
            }
            try plain.perform(updates, estimates: estimates) { _ in nil }
            let rows = seen.map { old.list.row(atPosition: $0) }
            let survivor = rows.first { mapping.newIndex(of: $0) != nil }
            let isAtEdge =
                viewport.offset == 0 || viewport.offset == viewport.maximumOffset
            if let survivor, let now = mapping.newIndex(of: survivor), !isAtEdge,
                rows.first == survivor
            {
                #expect(
                    viewport.list.extent(of: .row(now)).offset - viewport.offset
                        == old.list.extent(of: .row(survivor)).offset - old.offset)
            }
        }
    }
}
