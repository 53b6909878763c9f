import TestSupport
import Testing

@testable import ScrollModel

/// Rows in lines, beyond what ``ListLayoutTests`` compares with arrays.
struct LineTests {
    private func row(_ section: Int, _ row: Int) -> RowIndex {
        RowIndex(section: section, row: row)
    }

    @Test func `pictures fill lines from edge to edge, and the last is no higher than asked`()
        throws
    {
        let flow = LineFlow(.justified(height: 100), width: 400, spacing: 10)
        var list = try ListLayout(rowCounts: [6], estimates: .init(row: 1.5), flow: flow)
        // Three of 3:2 in 400 px less two gaps are 84.4 px high; two would be 130 px.
        #expect(list.line(ofRowAt: 0) == 0..<3)
        try list.setHeight(0.5, of: .row(row(0, 0)))
        #expect(list.line(ofRowAt: 0) == 0..<3)
        let frames = (0..<6).map { list.frame(ofRowAt: $0) }
        #expect(abs(frames[0].height - 380 / 3.5) < 0.001)
        #expect(abs(frames[0].width - 190 / 3.5) < 0.001)
        #expect(abs(frames[2].x + frames[2].width - 400) < 0.01)
        #expect(frames[3].y == list.extent(ofRowAt: 0).height)
        try list.perform([.deleteRow(row(0, 5)), .deleteRow(row(0, 4))])
        #expect(list.frame(ofRowAt: 3).width == 150)
        #expect(list.contentHeight == frames[3].y + 110)
    }

    @Test func `a list that scrolls to the right has columns for lines`() throws {
        let flow = LineFlow(.columns(2), width: 300, spacing: 20, isHorizontal: true)
        let list = try ListLayout(rowCounts: [5], estimates: .init(row: 100), flow: flow)
        #expect(list.frame(ofRowAt: 3) == RowFrame(x: 120, y: 160, width: 100, height: 140))
    }

    /// All measures are equal, or differ, or are estimates.
    @Test(arguments: seeds(0..<24), ListLayoutTests.flows)
    func `lines of a long section are those of a new list after each change`(
        seed: UInt64, flow: LineFlow
    ) throws {
        var random = SplitMix64(seed: seed)
        var list = try ListLayout(rowCounts: [2, 700, 3], estimates: .init(row: 1), flow: flow)
        let choices = seed % 3 == 0 ? [1.0] : [0.5, 1, 1.5, 1.75, 6]
        if seed % 3 == 2 {
            for number in 0..<700 {
                let value = choices.randomElement(using: &random) ?? 1
                try list.setHeight(value, of: .row(row(1, number)))
            }
        }
        for _ in 0..<25 {
            let (count, other) = (list.rowCount(inSection: 1), Int(random.next() % 5))
            let places = (0..<3).map { _ in Int.random(in: 0..<count, using: &random) }
            switch random.next() % 4 {
            case 0:
                let updates = Set(places).map { ListUpdate.deleteRow(row(1, $0)) }
                try list.perform(updates + [.insertRow(row(1, min(other, count - 4)))])
            case 1:
                try list.perform([.moveRow(row(1, places[0]), to: row(1, places[1]))])
            case 2:
                try list.perform(
                    [.reloadRow(row(1, places[0])), .insertRow(row(1, places[1]))]
                ) { _ in 6 }
            default:
                let value = choices.randomElement(using: &random) ?? 1
                try list.setHeight(value, of: .row(row(1, places[2])))
            }
            list.checkInvariants()
        }
    }

    @Test(arguments: [
        LineFlow(.columns(7), width: 700), LineFlow(.justified(height: 200), width: 1000),
    ])
    func `a thousand million equal rows take the room and the time of a few`(
        flow: LineFlow
    ) throws {
        let million = 1_000_000
        var list = try ListLayout(
            rowCounts: [1000 * million], estimates: .init(row: 1), flow: flow)
        try list.setHeight(2.5, of: .row(row(0, 500 * million)))
        try list.perform([.insertRow(row(0, 100 * million)), .deleteRow(row(0, 900 * million))])
        var runs = 0
        list.grid?.lines.values.forEachRun(from: 0) { _, _ in
            runs += 1
            return true
        }
        #expect(runs < 20)
        let line = list.line(ofRowAt: 600 * million)
        #expect(
            list.visibleRows(offset: list.extent(ofRowAt: line.lowerBound).offset, height: 1)
                == line)
    }

    @Test func `lines after a change are the same from the first that begins alike`() throws {
        var random = SplitMix64(seed: 1)
        let heights = try RowHeights(
            (0..<100_000).map { _ in Double.random(in: 0.6...1.9, using: &random) })
        let flow = LineFlow(.justified(height: 200), width: 1200, spacing: 4)
        var list = try ListLayout([SectionHeights(rows: heights)], flow: flow)
        for _ in 0..<20 {
            let (old, place) = (list, Int.random(in: 0..<100_000, using: &random))
            try list.setHeight(
                Double.random(in: 0.6...1.9, using: &random), of: .row(row(0, place)))
            let last = (0..<list.rowCount).last { old.line(ofRowAt: $0) != list.line(ofRowAt: $0) }
            #expect((last ?? place) - place < 500)
        }
    }

    // MARK: - What is seen

    private func viewport() throws -> Viewport {
        let flow = LineFlow(.justified(height: 100), width: 600)
        let list = try ListLayout(
            rowCounts: [400], estimates: .init(row: 1.5, header: 40), flow: flow)
        return Viewport(list, height: 500, offset: 3210)
    }

    @Test(arguments: [300.0, 599, 601, 1400])
    func `a change of width keeps the first row in view at the top`(width: Double) throws {
        var viewport = try viewport()
        let (list, first) = (viewport.list, viewport.visibleRows.lowerBound)
        let extent = list.extent(ofRowAt: first)
        let part = (viewport.offset - extent.offset) / extent.height
        try viewport.arrange(LineFlow(.justified(height: 100), width: width))
        let after = viewport.list.extent(ofRowAt: first)
        #expect(viewport.visibleRows.contains(first))
        #expect(abs((viewport.offset - after.offset) / after.height - part) < 0.01)
        try viewport.arrange(list.flow)
        #expect(viewport.list == list)
        #expect(abs(viewport.offset - 3210) < 1)
    }

    @Test func `what is measured above moves nothing that is seen`() throws {
        var viewport = try viewport()
        let first = viewport.visibleRows.lowerBound
        for number in 0..<first {
            let before = viewport.offset - viewport.list.extent(ofRowAt: first).offset
            try viewport.measure(0.75, of: .row(row(0, number)))
            #expect(viewport.offset - viewport.list.extent(ofRowAt: first).offset == before)
        }
        try viewport.measure(60, of: .header(section: 0))
        viewport.list.checkInvariants()
    }

    @Test func `a window of no width, or of one that is no number, has lines of one row`() throws {
        for width in [0, -1, .nan, -.infinity] as [Double] {
            let flow = LineFlow(.adaptive(minimumWidth: 10), width: width, spacing: .nan)
            #expect(flow.width == 1 && flow.spacing == 0)
            let list = try ListLayout(rowCounts: [3], estimates: .init(row: 40), flow: flow)
            #expect(list.contentHeight == 120)
        }
        #expect(LineFlow(.columns(2), width: .infinity).width == 1_048_576)
    }

    @Test func `lines that would be too high in all are refused`() throws {
        var list = try ListLayout(rowCounts: [1 << 36], estimates: .init(row: 1))
        let old = list
        #expect(throws: ListUpdateError.self) {
            try list.arrange(LineFlow(.justified(height: 1000), width: 500))
        }
        #expect(list == old)
    }
}
