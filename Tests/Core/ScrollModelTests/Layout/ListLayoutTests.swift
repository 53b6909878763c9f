import TestSupport
import Testing

@testable import ScrollModel

/// The list against arrays.
struct ListLayoutTests {
    static let estimates = ListLayout.Estimates(row: 10, header: 5, footer: 0)

    @Test(arguments: seeds(0..<1200))
    func `answers like arrays, after any batches and heights`(seed: UInt64) throws {
        try play(seed, nil)
    }

    static let flows = [
        LineFlow(.columns(1), width: 30), LineFlow(.columns(3), width: 30, spacing: 2),
        LineFlow(.adaptive(minimumWidth: 12), width: 56, spacing: 2),
        LineFlow(.fixed(columns: 2, height: 6), width: 30, spacing: 1),
        LineFlow(.justified(height: 4), width: 40),
        LineFlow(.justified(height: 7), width: 30, spacing: 1.5),
        LineFlow(.justified(height: 30), width: 20, spacing: 30),
    ]

    @Test(arguments: seeds(0..<80), Self.flows)
    func `lines are those of arrays, after any batches and measures`(
        seed: UInt64, flow: LineFlow
    ) throws {
        try play(seed, flow)
    }

    private func play(_ seed: UInt64, _ flow: LineFlow?) throws {
        var random = SplitMix64(seed: seed)
        let counts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            Int.random(in: 0...5, using: &random)
        }
        var list = try ListLayout(rowCounts: counts, estimates: Self.estimates, flow: flow)
        var plain = PlainList()
        var start = [ListUpdate]()
        for (section, rows) in counts.enumerated() {
            start.append(.insertSection(section, rows: rows))
        }
        try plain.perform(start, estimates: Self.estimates) { _ in nil }
        check(list, plain, &random)
        // Another layout of the same list, in lines of its own.
        let others = flow.map { _ in Self.flows[Int(seed) % Self.flows.count] }
        var follower = list
        try follower.arrange(others)
        for _ in 0..<12 {
            var (mapping, measured): (IndexMapping, [ListElement]) = (.none, [])
            if random.next() % 3 > 0 {
                let batch = BatchMaker(plain).batch(&random)
                mapping = try perform(batch, seed: random.next(), &list, &plain) ?? .none
            }
            while random.next() % 3 == 0, let element = plain.elements.randomElement(using: &random)
            {
                measured.append(element.element)
                try setHeight(height(&random), of: element.element, &list, &plain)
            }
            check(list, plain, &random)
            try follower.follow(list, mapping, measured: measured)
            var new = list
            try new.arrange(others)
            #expect(follower == new)
        }
    }

    private func setHeight(
        _ height: Double, of element: ListElement, _ list: inout ListLayout,
        _ plain: inout PlainList
    ) throws {
        try list.setHeight(height, of: element)
        switch element {
        case .header(let section): plain.sections[section].header.measure(height)
        case .row(let row): plain.sections[row.section].rows[row.row].measure(height)
        case .footer(let section): plain.sections[section].footer.measure(height)
        case .listHeader: plain.header.measure(height)
        case .listFooter: plain.footer.measure(height)
        }
    }

    /// Does a batch, which both refuse or both do, and checks the mapping by names.
    private func perform(
        _ updates: [ListUpdate], seed: UInt64, _ list: inout ListLayout, _ plain: inout PlainList
    ) throws -> IndexMapping? {
        func height(_ element: ListElement) -> Double? {
            var random = SplitMix64(seed: seed ^ element.number)
            return random.next() % 2 == 0 ? self.height(&random) : nil
        }
        let (old, oldList) = (plain, list)
        var refusal: PlainList.Refusal?
        do throws(PlainList.Refusal) {
            try plain.perform(updates, estimates: Self.estimates, height: height)
        } catch {
            refusal = error
        }
        do throws(ListUpdateError) {
            let mapping = try list.perform(updates, measure: height)
            #expect(refusal == nil, "\(updates)")
            guard refusal == nil else { return nil }
            let now = Dictionary(uniqueKeysWithValues: plain.rows.map { ($0.row.name, $0.index) })
            let then = Dictionary(uniqueKeysWithValues: old.rows.map { ($0.row.name, $0.index) })
            #expect(
                old.rows.map { mapping.newIndex(of: $0.index) } == old.rows.map { now[$0.row.name] }
            )
            #expect(
                plain.rows.map { mapping.oldIndex(of: $0.index) }
                    == plain.rows.map { then[$0.row.name] })
            let sections = old.sections.map { plain.index(ofSection: $0.name) }
            #expect(old.sections.indices.map { mapping.sections.newIndex(of: $0) } == sections)
            for element in old.elements.map(\.element) {
                let new: ListElement? =
                    switch element {
                    case .row(let row): mapping.newIndex(of: row).map { .row($0) }
                    case .header(let section): sections[section].map { .header(section: $0) }
                    case .footer(let section): sections[section].map { .footer(section: $0) }
                    case .listHeader, .listFooter: element
                    }
                #expect(mapping.newElement(of: element) == new)
            }
            #expect(
                plain.sections.indices.map { mapping.sections.oldIndex(of: $0) }
                    == plain.sections.map { old.index(ofSection: $0.name) })
            return mapping
        } catch {
            #expect(refusal != nil, "\(error): \(updates)")
            #expect(list == oldList, "a batch that is refused changes nothing")
            #expect(!error.description.isEmpty)
            return nil
        }
    }

    /// A multiple of a quarter of a pixel, often zero, or now and then less than a quarter.
    private func height(_ random: inout SplitMix64) -> Double {
        let quarters = Double(max(0, Int.random(in: -20...60, using: &random)))
        return random.next() % 8 == 0 ? 0.125 : quarters / 4
    }

    private func check(_ list: ListLayout, _ plain: PlainList, _ random: inout SplitMix64) {
        list.checkInvariants()
        let rows = plain.rows
        #expect(list.sectionCount == plain.sections.count)
        #expect(list.rowCount == rows.count)
        var offset = 0.0
        var extents: [(element: ListElement, start: Double, end: Double)] = []
        var pixels: Set<ListElement> = []
        for line in plain.lines(list.flow) {
            extents += line.elements.map { ($0, offset, offset + line.height) }
            for element in line.elements {
                var end = offset + line.height
                if case .row = element { end -= list.flow?.spacing ?? 0 }
                if (offset * 4).rounded(.up) / 4 < end { pixels.insert(element) }
            }
            offset += line.height
        }
        let elements = extents.map(\.element)
        #expect(
            elements.map { list.extent(of: $0) }
                == extents.map { Extent(offset: $0.start, height: $0.end - $0.start) })
        #expect(elements.map { list.isMeasured($0) } == plain.elements.map(\.row.isMeasured))
        #expect(list.contentHeight == offset)
        let indexes = rows.map(\.index)
        #expect(indexes.map { list.position(of: $0) } == Array(rows.indices))
        #expect(rows.indices.map { list.row(atPosition: $0) } == indexes)
        #expect(
            rows.indices.map { list.extent(ofRowAt: $0) }
                == indexes.map { list.extent(of: .row($0)) })
        if list.flow != nil { checkLines(list, plain) }
        for (number, section) in plain.sections.enumerated() {
            #expect(list.rowCount(inSection: number) == section.rows.count)
            let own = extents.filter { $0.element.section == number }
            #expect(list.extent(ofSection: number).offset == own.first?.start)
            #expect(list.extent(ofSection: number).end == own.last?.end)
        }
        if let place = plain.elements.indices.randomElement(using: &random) {
            let next = plain.elements[place...].first { !$0.row.isMeasured }
            #expect(list.firstUnmeasured(from: plain.elements[place].element) == next?.element)
        }
        for _ in 0..<3 {
            let offset = Double(Int.random(in: -40...Int(offset * 4) + 40, using: &random)) / 4
            let height = Double(Int.random(in: 0...80, using: &random)) / 4
            let here = extents.first { $0.end > offset && $0.end > $0.start }?.element
            #expect(list.element(at: offset) == here)
            let shown = extents.filter {
                $0.end > offset && $0.start < offset + height && pixels.contains($0.element)
            }.map(\.element)
            let seen = shown.compactMap { element -> Int? in
                guard case .row(let row) = element else { return nil }
                return rows.firstIndex { $0.index == row }
            }
            var elements: [ListElement] = []
            list.forEachElement(offset: offset, height: height) { element, extent in
                elements.append(element)
                #expect(extent == list.extent(of: element))
            }
            #expect(elements == shown)
            let visible = list.visibleRows(offset: offset, height: height)
            #expect(Array(visible) == seen)
            #expect(seen.allSatisfy { list.hasPixels(rowAt: $0) })
            checkFloatingHeader(Viewport(list, height: height, offset: offset), extents)
        }
    }

    /// Checks that the header of the section at the top stands at its place, or at the top, or above it
    /// if its section ends before.
    private func checkFloatingHeader(
        _ viewport: Viewport, _ extents: [(element: ListElement, start: Double, end: Double)]
    ) {
        let floating = viewport.floatingHeader
        let section = extents.first { $0.end > viewport.offset }?.element.section
        guard let section, let header = extents.first(where: { $0.element.section == section }),
            let end = extents.last(where: { $0.element.section == section })?.end,
            header.start < header.end
        else { return #expect(floating?.section == nil) }
        #expect(floating?.section == section)
        let top = min(max(header.start, viewport.offset), end - (header.end - header.start))
        #expect(floating?.offset == top - viewport.offset)
    }

    /// Checks which rows share a line, and that they are side by side.
    private func checkLines(_ list: ListLayout, _ plain: PlainList) {
        let lines = plain.lines(list.flow).compactMap { line -> Range<Int>? in
            guard case .row(let first)? = line.elements.first else { return nil }
            let position = list.position(of: first)
            return position..<position + line.elements.count
        }
        for (number, line) in lines.enumerated() {
            var end = -(list.flow?.spacing ?? 0)
            for position in line {
                #expect(list.line(ofRowAt: position) == line)
                let frame = list.frame(ofRowAt: position)
                #expect(abs(frame.x - end - (list.flow?.spacing ?? 0)) < 1e-9)
                #expect(frame.y == list.extent(ofRowAt: position).offset)
                end = frame.x + frame.width
            }
            let shown = lines.map { list.hasPixels(rowAt: $0.lowerBound) }
            let above = (0..<number).filter { shown[$0] }.suffix(2)
            let below = (number + 1..<lines.count).filter { shown[$0] }.prefix(1)
            #expect(
                Array(list.rows(RowSet(line), before: 2, after: 1))
                    == (above + [number] + below).flatMap { lines[$0] })
        }
    }
}

extension ListElement {
    /// A small number of its own, the same in every run.
    fileprivate var number: UInt64 {
        switch self {
        case .header(let section): UInt64(section * 1_000)
        case .row(let row): UInt64(row.section * 1_000 + row.row + 1)
        case .footer(let section): UInt64(section * 1_000 + 999)
        case .listHeader, .listFooter: 999_999  // never new
        }
    }
}

extension PlainList.Row {
    mutating func measure(_ height: Double) {
        self.height = height
        isMeasured = true
    }
}

/// Batches for a list: most of them in order, some not.
struct BatchMaker {
    private let list: PlainList

    init(_ list: PlainList) {
        self.list = list
    }

    func batch(_ random: inout SplitMix64) -> [ListUpdate] {
        let isWild = random.next() % 4 == 0
        var updates = [ListUpdate]()
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let before = list.sections.count
            let (section, target) = (
                index(before, isWild, &random), index(before + 1, isWild, &random)
            )
            let rows =
                list.sections.indices.contains(section) ? list.sections[section].rows.count : 3
            let row = RowIndex(section: section, row: index(rows, isWild, &random))
            let place = RowIndex(section: target, row: index(rows + 1, isWild, &random))
            switch random.next() % 12 {
            case 0, 1: updates.append(.deleteSection(section))
            case 2, 3: updates.append(.insertSection(target, rows: index(4, isWild, &random)))
            case 4, 5: updates.append(.deleteRow(row))
            case 6, 7: updates.append(.insertRow(place))
            case 8, 9: updates.append(.moveRow(row, to: place))
            default: updates.append(.reloadRow(row))
            }
        }
        return updates
    }

    private func index(_ count: Int, _ isWild: Bool, _ random: inout SplitMix64) -> Int {
        isWild
            ? Int.random(in: -1...count + 1, using: &random)
            : Int.random(in: 0...max(0, count - 1), using: &random)
    }
}
