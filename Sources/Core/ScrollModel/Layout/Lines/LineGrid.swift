internal import LullLibC

/// The lines of a list whose rows flow in them: the height of each, and the number of its rows.
///
/// It is derived from the measures of the rows, which it doesn't store. A header, a line and a
/// footer each have a place; ``lines`` and ``counts`` use the same places. Equal lines one after the
/// other take the room of one.
struct LineGrid: Sendable, Equatable {
    let flow: LineFlow
    /// The heights of headers, lines and footers, with the lines as rows.
    private(set) var lines: SectionedSums
    /// The number of rows of each line; zero for headers and footers.
    private(set) var counts: SumTree

    /// The lines of a list's rows; O(n), and O(log n) for equal rows one after the other.
    init(_ flow: LineFlow, of sums: SectionedSums) {
        self.flow = flow
        var (breaker, lineCounts) = (LineBreaker(flow), SumTreeBuilder())
        breaker.add(element: sums.values[sums.place(of: .listHeader)])
        for section in 0..<sums.sectionCount {
            let (header, footer) = (
                sums.header(ofSection: section), sums.footer(ofSection: section)
            )
            breaker.add(element: sums.values[header])
            let before = breaker.counts.count
            Self.add(sums, from: header + 1, to: footer, to: &breaker)
            lineCounts.append(Int64(breaker.counts.count - before))
            breaker.add(element: sums.values[footer])
        }
        breaker.add(element: sums.values[sums.place(of: .listFooter)])
        lines = SectionedSums(counts: lineCounts.finish(), values: breaker.heights.finish())
        counts = breaker.counts.finish()
    }

    // MARK: - Queries; each O(log n)

    /// Returns the place of the line with the row at a position.
    func place(ofRowAt position: Int) -> Int {
        counts.count(whileSumAtMost: Int64(position))
    }

    /// Returns the place of an element's line.
    func place(of element: ListElement, in sums: SectionedSums) -> Int {
        if case .row(let row) = element {
            place(ofRowAt: sums.position(of: row))
        } else {
            lines.place(of: element)
        }
    }

    /// Returns the positions of the rows of the line at a place; for a header or footer, the
    /// empty range before the next row.
    func rows(at place: Int) -> Range<Int> {
        let line = counts.place(at: place)
        return Int(line.sum)..<Int(line.end)
    }

    // MARK: - Changes

    /// Sets the height of a header or footer.
    mutating func set(_ value: Int64, at place: Int) {
        lines.set(value, isGuess: false, at: place)
    }

    /// Updates the lines after a batch of updates of the rows, and after some elements were measured,
    /// with these sums then.
    mutating func follow(
        _ mapping: IndexMapping, measured: some Sequence<ListElement> = [], _ sums: SectionedSums
    ) {
        for section in mapping.sections.removed.reversed() {
            let places = lines.header(ofSection: section)..<lines.header(ofSection: section + 1)
            lines.removeSection(section)
            counts.remove(places)
        }
        let inserted = mapping.sections.inserted
        for section in inserted { insert(section, of: sums) }
        var changes = mapping.rows.mapValues { LineChange($0) }
        func note(_ row: RowIndex) {
            let change = LineChange(row.row)
            changes[row.section] = changes[row.section]?.joined(with: change) ?? change
        }
        mapping.reloaded.forEach(note)
        for element in measured {
            if case .row(let row) = element {
                note(row)
            } else {
                set(sums.values[sums.place(of: element)], at: place(of: element, in: sums))
            }
        }
        for section in inserted { changes[section] = nil }
        for (section, change) in changes { flow(section, change, of: sums) }
    }

    private mutating func insert(_ section: Int, of sums: SectionedSums) {
        var breaker = LineBreaker(flow)
        Self.add(
            sums, from: sums.header(ofSection: section) + 1, to: sums.footer(ofSection: section),
            to: &breaker)
        let rows = breaker.counts.finish()
        let place = lines.header(ofSection: section)
        var counts = rows
        counts.insert(0, at: rows.count)
        counts.insert(0, at: 0)
        lines.insert(
            breaker.heights.finish(), header: sums.values[sums.header(ofSection: section)],
            footer: sums.values[sums.footer(ofSection: section)], at: section)
        self.counts.insert(counts, at: place)
    }

    /// Breaks the rows of a section anew where they have changed, until the lines are the same
    /// again.
    ///
    /// O(log n) for equal rows; otherwise O(rows) up to there, at most to the end of the section.
    mutating func flow(_ section: Int, _ change: LineChange, of sums: SectionedSums) {
        let header = lines.header(ofSection: section)
        let footer = lines.footer(ofSection: section)
        let before = Int(counts.sum(ofFirst: header))
        let first = before + change.rows.lowerBound
        var start = min(place(ofRowAt: first), footer)
        // The end of the line before may depend on the first row of this one.
        if start > header + 1 { start -= 1 }
        let origin = Int(counts.sum(ofFirst: start)) - before
        let begin = sums.header(ofSection: section) + 1
        var end = footer
        let old = counts
        var breaker = LineBreaker(flow)
        Self.add(
            sums, from: begin + origin, to: sums.footer(ofSection: section), to: &breaker
        ) { added in
            let row = origin + added
            guard row >= change.rows.upperBound,
                let line = old.place(endingAfter: Int64(before + row - change.difference)),
                line.index < footer, Int(line.sum) == before + row - change.difference
            else { return true }
            end = line.index
            return false
        }
        lines.replaceRows(
            start - header - 1..<end - header - 1, inSection: section,
            with: breaker.heights.finish())
        counts.remove(start..<end)
        counts.insert(breaker.counts.finish(), at: start)
    }

    /// Breaks the rows at some places into lines, until `goesOn`, called with the number of rows in
    /// the breaker's lines so far, returns false.
    private static func add(
        _ sums: SectionedSums, from place: Int, to end: Int, to breaker: inout LineBreaker,
        goesOn: (Int) -> Bool = { _ in true }
    ) {
        var rest = end - place
        var isGoingOn = true
        if rest > 0 {
            sums.values.forEachRun(from: place) { value, count in
                let lines = breaker.counts.count
                breaker.add(value, count: min(count, rest))
                rest -= min(count, rest)
                if breaker.counts.count > lines { isGoingOn = goesOn(Int(breaker.counts.total)) }
                return rest > 0 && isGoingOn
            }
        }
        if isGoingOn { breaker.finish() }
    }

    /// Checks that it is what a new one would be; O(n), for tests.
    func checkInvariants(_ sums: SectionedSums) {
        lines.checkInvariants()
        counts.checkInvariants()
        precondition(self == LineGrid(flow, of: sums), "lines are those of the rows")
    }
}

/// The rows of a section that have changed, by their numbers afterwards.
struct LineChange {
    /// A range that contains all of them; what was removed lies before its end.
    private(set) var rows: Range<Int>
    /// The number of rows that were added, less those that were removed.
    private(set) var difference = 0

    /// A change of one row, whose number stays.
    init(_ row: Int) { rows = row..<row + 1 }

    init(_ updates: IndexDifference) {
        difference = updates.inserted.count - updates.removed.count
        let first = min(updates.removed.first ?? .max, updates.inserted.first ?? .max)
        let end = max(
            (updates.removed.last ?? -1 - difference) + 1 + difference,
            (updates.inserted.last ?? -1) + 1)
        rows = first..<max(first, end)
    }

    /// Returns both changes in one.
    func joined(with other: LineChange) -> LineChange {
        var both = self
        let first = min(rows.lowerBound, other.rows.lowerBound)
        both.rows = first..<max(rows.upperBound, other.rows.upperBound)
        both.difference += other.difference
        return both
    }
}
