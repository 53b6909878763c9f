import ScrollModel
import TestSupport
import Testing

/// Where other lists and height caches fail.
struct ListTrapTests {
    private func row(_ section: Int, _ row: Int) -> RowIndex {
        RowIndex(section: section, row: row)
    }

    /// Heights 10, 11, 12 … in each section.
    private func list(_ counts: [Int]) throws -> ListLayout {
        try ListLayout(
            counts.map { SectionHeights(rows: try RowHeights((0..<$0).map { Double(10 + $0) })) })
    }

    @Test func `Chameleon: what is out of view isn't touched, however long its section is`() throws
    {
        let list = try ListLayout(rowCounts: [500_000, 500_000], estimates: .init(header: 22))
        var touched = 0
        list.forEachElement(offset: 10_000_000, height: 440) { _, _ in touched += 1 }
        #expect(touched <= 12)
    }

    @Test func `a section of a thousand million rows comes in one call, and not of all numbers`()
        throws
    {
        var list = try ListLayout(rowCounts: [3])
        try list.perform([.insertSection(1, rows: 1_000_000_000)])
        #expect(list.rowCount == 1_000_000_003)
        let call = ListUpdate.insertSection(0, rows: .max)
        #expect(throws: ListUpdateError.tooMany(call)) { try list.perform([call]) }
    }

    @Test(arguments: seeds(0..<20))
    func `of a thousand million rows each is where it is said to be`(seed: UInt64)
        throws
    {
        var random = SplitMix64(seed: seed)
        var list = try ListLayout(
            rowCounts: [400_000_000, 600_000_000], estimates: .init(row: 44.3))
        for _ in 0..<50 {
            let position = Int(random.next() % 1_000_000_000)
            let row = list.row(atPosition: position)
            try list.setHeight(Double(1 + random.next() % 9_000) / 7, of: .row(row))
            let extent = list.extent(of: .row(row))
            #expect(list.element(at: extent.offset) == .row(row))
            #expect(list.element(at: extent.end.nextDown) == .row(row))
            #expect(list.position(at: extent.end) == position + 1 || position == 999_999_999)
            #expect(list.position(at: extent.offset.nextDown) == position - 1 || position == 0)
        }
    }

    @Test func `a batch that contradicts itself says where`() throws {
        func refusal(_ calls: [ListUpdate]) throws -> String {
            var list = try list([3, 2])
            let before = list
            do throws(ListUpdateError) {
                try list.perform(calls)
                return "done"
            } catch {
                #expect(list == before)
                return error.description
            }
        }
        #expect(
            try refusal([.deleteRow(row(0, 3))])
                == "delete row 0.3: there is no row 0.3; rows are numbered 0 to 2")
        #expect(
            try refusal([.insertRow(row(1, 4))])
                == "insert row 1.4: there is no row 1.4; rows are numbered 0 to 2")
        #expect(
            try refusal([.moveRow(row(0, 0), to: row(2, 0))])
                == "move row 0.0 to 2.0: there is no section 2; sections are numbered 0 to 1")
        #expect(
            try refusal([.deleteRow(row(0, 1)), .reloadRow(row(0, 1))])
                == "delete row 0.1, and reload row 0.1: one index, named twice")
        #expect(
            try refusal([.deleteSection(0), .deleteRow(row(0, 1))])
                == "delete row 0.1: delete section 0 implies it; leave it out")
        #expect(
            try refusal([.insertSection(0, rows: 1), .insertRow(row(0, 0))])
                == "insert row 0.0: insert section 0 of 1 rows implies it; leave it out")
        #expect(
            try refusal([.insertSection(1, rows: 0), .moveRow(row(0, 0), to: row(1, 0))])
                == "move row 0.0 to 1.0: there is no row 1.0; there is no row")
        #expect(try refusal([.deleteSection(1)]) == "done")
    }

    @Test func `a height that cannot be leaves the list as it was`() throws {
        var list = try list([2])
        let before = list
        #expect(throws: ListUpdateError.height(.row(row(0, 0)), .negative(row: 0, height: -1))) {
            try list.perform([.insertRow(row(0, 0))]) { _ in -1 }
        }
        #expect("\(ListUpdateError.height(.row(row(2, 7)), .count(-1)))".hasPrefix("row 2.7: "))
        #expect(throws: ListUpdateError.self) { try list.setHeight(.nan, of: .row(row(0, 0))) }
        #expect(throws: ListUpdateError.self) {
            try list.setHeight(RowHeights.maximumContentHeight, of: .row(row(0, 0)))
        }
        #expect(list == before)
    }

    @Test func `numbers of rows that can't be are errors, and places that are none have no rows`()
        throws
    {
        #expect(throws: RowHeightsError.count(-1)) { try RowHeights(count: -1, height: 80) }
        #expect(throws: RowHeightsError.count(.max)) { try RowHeights(count: .max, height: 0) }
        #expect(throws: ListUpdateError.self) { try ListLayout(rowCounts: [-1]) }
        #expect(throws: ListUpdateError.self) {
            try ListLayout(rowCounts: [.max, .max], estimates: .init(row: 0))
        }
        var rows = try RowHeights(count: 1 << 40, height: 0)
        #expect(throws: RowHeightsError.count(1)) { try rows.insert(height: 0, at: 0) }
        let list = try ListLayout(rowCounts: [20])
        for place in [.nan, .infinity, -.infinity, 1e300, -1e300] as [Double] {
            #expect(list.visibleRows(offset: place, height: 100).isEmpty || place < 0)
            for height in [.nan, .infinity, -.infinity, -1, 1e300] as [Double] {
                _ = list.visibleRows(offset: place, height: height)
                list.forEachElement(offset: place, height: height) { _, _ in }
            }
            _ = (list.element(at: place), list.position(at: place))
        }
    }

    @Test func `inserted rows have the height of a list of equal ones, else the mean`() throws {
        var equal = Viewport(rows: try RowHeights(count: 100, height: 80), height: 800)
        try equal.perform([.insertRow(row(0, 3)), .reloadRow(row(0, 9))])
        #expect(
            equal.list.extent(ofRowAt: 3).height == 80 && !equal.list.isMeasured(.row(row(0, 3))))
        #expect(equal.list.contentHeight == 101 * 80)
        var empty = ListLayout(try RowHeights(count: 0, height: 80))
        try empty.perform([.insertRow(row(0, 0))])
        #expect(empty.contentHeight == 80)
        var mixed = ListLayout(try RowHeights([50, 100, 150]))
        try mixed.perform([.insertRow(row(0, 0))])
        #expect(mixed.extent(ofRowAt: 0).height == 100)
        var sections = try ListLayout(
            (0..<3).map { _ in
                SectionHeights(header: 22, rows: try RowHeights(count: 4, height: 80), footer: 7)
            })
        try sections.perform([.insertSection(1, rows: 2)])
        #expect(sections.extent(of: .header(section: 1)).height == 22)
        #expect(sections.extent(of: .row(row(1, 1))).height == 80)
        #expect(sections.extent(of: .footer(section: 1)).height == 7)
        var known = try ListLayout(
            [SectionHeights(rows: try RowHeights(count: 4, height: 80))], estimates: .init(row: 30))
        try known.perform([.insertRow(row(0, 0))])
        #expect(known.extent(ofRowAt: 0).height == 30)
    }
}
