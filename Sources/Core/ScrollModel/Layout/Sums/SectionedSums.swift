internal import LullLibC

/// A number for each header, row and footer of a list, with running sums, and whether it is an
/// estimate.
///
/// The elements of a section are its header, its rows and its footer. The list's own header comes
/// before all sections, and its footer after them: their numbers are never estimates. So with the
/// number of rows of each section every element has a place in one sequence of numbers.
struct SectionedSums: Sendable {
    /// The number of rows of each section.
    private var counts: SumTree
    /// The number of each element.
    private(set) var values: SumTree
    /// One for each element whose number is an estimate, otherwise zero.
    private var guesses: SumTree
    /// A number that no row's is below: the least that any row has had.
    private(set) var leastRow = Int64.max

    /// An instance without sections.
    init() {
        let ends = SumTree(repeating: 0, count: 2)
        (counts, values, guesses) = (SumTree(), ends, ends)
    }

    /// Sections with these numbers of rows, all of whose numbers are estimates; O(number of
    /// sections).
    init(
        rowCounts: some Sequence<Int>, header: Int64, row: Int64, footer: Int64
    ) {
        var builders = (
            counts: SumTreeBuilder(), values: SumTreeBuilder(), guesses: SumTreeBuilder()
        )
        builders.values.append(0)
        builders.guesses.append(0)
        for rows in rowCounts {
            builders.counts.append(Int64(rows))
            builders.values.append(header)
            builders.values.append(row, count: rows)
            builders.values.append(footer)
            builders.guesses.append(1)
            builders.guesses.append(1, count: rows)
            builders.guesses.append(1)
        }
        builders.values.append(0)
        builders.guesses.append(0)
        counts = builders.counts.finish()
        values = builders.values.finish()
        guesses = builders.guesses.finish()
        leastRow = row
    }

    /// Sections with these numbers of rows, and the numbers of all elements, none of them an
    /// estimate.
    init(counts: SumTree, values: SumTree) {
        (self.counts, self.values) = (counts, values)
        guesses = SumTree(repeating: 0, count: values.count)
        leastRow = leastOfRows
    }

    var sectionCount: Int { counts.count }
    var rowCount: Int { Int(counts.total) }

    func rowCount(inSection section: Int) -> Int { Int(counts[section]) }

    // MARK: - Places; each O(log n)

    /// Returns the place of a section's header; for the number of sections, that of the list's footer.
    func header(ofSection section: Int) -> Int {
        Int(counts.sum(ofFirst: section)) + 2 * section + 1
    }

    func footer(ofSection section: Int) -> Int { header(ofSection: section + 1) - 1 }

    func place(of row: RowIndex) -> Int { header(ofSection: row.section) + 1 + row.row }

    func place(of element: ListElement) -> Int {
        switch element {
        case .header(let section): header(ofSection: section)
        case .row(let row): place(of: row)
        case .footer(let section): footer(ofSection: section)
        case .listHeader: 0
        case .listFooter: values.count - 1
        }
    }

    func element(at place: Int) -> ListElement {
        guard let (section, row) = row(atPlace: place) else {
            return place == 0 ? .listHeader : .listFooter
        }
        if row < 0 { return .header(section: section.index) }
        if row == section.value { return .footer(section: section.index) }
        return .row(RowIndex(section: section.index, row: row))
    }

    /// Returns the section of a place, and the row's number in it: -1 for the header, and the
    /// number of rows for the footer; nil for the list's own header and footer.
    private func row(atPlace place: Int) -> (section: SumPlace, row: Int)? {
        guard place > 0, let section = counts.place(endingAfter: Int64(place - 1), more: 2) else {
            return nil
        }
        return (section, place - 2 * section.index - Int(section.sum) - 2)
    }

    /// Returns the position of the row at a place; for a header or footer, the empty range before
    /// the next row.
    func rows(at place: Int) -> Range<Int> {
        guard let (section, row) = row(atPlace: place) else {
            let end = place == 0 ? 0 : rowCount
            return end..<end
        }
        let first = Int(section.sum) + max(0, row)
        return first..<first + (row >= 0 && row < section.value ? 1 : 0)
    }

    /// Returns the place of the row at a position.
    func place(ofRowAt position: Int) -> Int {
        position + 2 * counts.count(whileSumAtMost: Int64(position)) + 2
    }

    /// Returns the position of a row: the number of rows before it.
    func position(of row: RowIndex) -> Int {
        Int(counts.sum(ofFirst: row.section)) + row.row
    }

    func row(atPosition position: Int) -> RowIndex {
        guard let section = counts.place(endingAfter: Int64(position)) else {
            preconditionFailure("a position is that of a row")
        }
        return RowIndex(section: section.index, row: position - Int(section.sum))
    }

    // MARK: - Estimates

    func isGuess(at place: Int) -> Bool { guesses[place] == 1 }

    /// Returns the first place, from a given one on, whose number is an estimate; O(log n).
    func nextGuess(from place: Int) -> Int? {
        let next = guesses.count(whileSumAtMost: guesses.sum(ofFirst: place))
        return next < guesses.count ? next : nil
    }

    // MARK: - Changes; each O(log n) except for inserted rows

    mutating func set(_ value: Int64, isGuess: Bool, at place: Int) {
        values.set(value, at: place)
        guesses.set(isGuess ? 1 : 0, at: place)
        if value < leastRow, !rows(at: place).isEmpty { leastRow = value }
    }

    mutating func insertRow(_ value: Int64, isGuess: Bool, at row: RowIndex) {
        let place = place(of: row)
        counts.set(counts[row.section] + 1, at: row.section)
        values.insert(value, at: place)
        guesses.insert(isGuess ? 1 : 0, at: place)
        leastRow = min(leastRow, value)
    }

    mutating func removeRow(_ row: RowIndex) -> (value: Int64, isGuess: Bool) {
        let place = place(of: row)
        let removed = (values[place], isGuess(at: place))
        counts.set(counts[row.section] - 1, at: row.section)
        values.remove(place..<place + 1)
        guesses.remove(place..<place + 1)
        return removed
    }

    /// Inserts a section, given by the numbers of its header, its rows and its footer.
    private mutating func insert(_ values: SumTree, guesses: SumTree, at index: Int) {
        let place = header(ofSection: index)
        counts.insert(Int64(values.count - 2), at: index)
        self.values.insert(values, at: place)
        self.guesses.insert(guesses, at: place)
        leastRow = min(leastRow, values.least(in: 1..<values.count - 1))
    }

    /// Inserts a section of rows whose numbers aren't estimates.
    mutating func insert(_ rows: SumTree, header: Int64, footer: Int64, at index: Int) {
        var values = rows
        values.insert(footer, at: rows.count)
        values.insert(header, at: 0)
        insert(values, guesses: SumTree(repeating: 0, count: values.count), at: index)
    }

    /// Replaces some rows of a section by others, whose numbers aren't estimates; O(m + log n).
    mutating func replaceRows(_ range: Range<Int>, inSection section: Int, with rows: SumTree) {
        let place = header(ofSection: section) + 1 + range.lowerBound
        counts.set(counts[section] + Int64(rows.count - range.count), at: section)
        values.remove(place..<place + range.count)
        values.insert(rows, at: place)
        guesses.remove(place..<place + range.count)
        guesses.insert(0, count: rows.count, at: place)
        leastRow = min(leastRow, rows.least(in: 0..<rows.count))
    }

    mutating func removeSection(_ index: Int) {
        let range = header(ofSection: index)..<header(ofSection: index + 1)
        counts.remove(index..<index + 1)
        values.remove(range)
        guesses.remove(range)
    }

    /// Checks that the trees are consistent; O(n).
    func checkInvariants() {
        for tree in [counts, values, guesses] { tree.checkInvariants() }
        precondition(
            values.count == rowCount + 2 * sectionCount + 2 && guesses.count == values.count,
            "every element has its number")
        precondition(leastRow <= leastOfRows, "no row's number is below the least")
    }

    /// The least number that a row has now; O(n).
    private var leastOfRows: Int64 {
        (0..<sectionCount).reduce(.max) { least, section in
            let rows = header(ofSection: section) + 1..<footer(ofSection: section)
            return min(least, values.least(in: rows))
        }
    }

    /// Performs a plan; `number` returns the numbers of new elements, by their places after the
    /// batch.
    ///
    /// If all new rows are `alike`, sections of any size are inserted in O(log n).
    mutating func apply(
        _ plan: UpdatePlan, alike: Bool, number: (ListElement) -> (value: Int64, isGuess: Bool)
    ) {
        // The rows that move, by their new index.
        var rows: [RowIndex: (value: Int64, isGuess: Bool)] = [:]
        for row in plan.removedRows.reversed() {
            let removed = removeRow(row)
            if let new = plan.mapping.movedRows[row] { rows[new] = removed }
        }
        for section in plan.mapping.sections.removed.reversed() { removeSection(section) }
        for section in plan.mapping.sections.inserted {
            insertSection(section, alike, plan, number)
        }
        for row in plan.insertedRows {
            let (value, isGuess) = rows[row] ?? number(.row(row))
            insertRow(value, isGuess: isGuess, at: row)
        }
        for row in plan.mapping.reloaded {
            let (value, isGuess) = number(.row(row))
            set(value, isGuess: isGuess, at: place(of: row))
        }
    }

    private mutating func insertSection(
        _ section: Int, _ alike: Bool, _ plan: UpdatePlan,
        _ number: (ListElement) -> (value: Int64, isGuess: Bool)
    ) {
        var (values, guesses) = (SumTreeBuilder(), SumTreeBuilder())
        func add(_ element: ListElement, times count: Int = 1) {
            let (value, isGuess) = number(element)
            values.append(value, count: count)
            guesses.append(isGuess ? 1 : 0, count: count)
        }
        let (rows, given) = (plan.ownRows[section] ?? 0, plan.mapping.rows[section])
        add(.header(section: section))
        if alike, rows > 0 {
            add(.row(RowIndex(section: section, row: 0)), times: rows)
        } else {
            for rank in 0..<rows {
                let row = given?.index(ofKept: rank) ?? rank
                add(.row(RowIndex(section: section, row: row)))
            }
        }
        add(.footer(section: section))
        insert(values.finish(), guesses: guesses.finish(), at: section)
    }
}

extension SectionedSums: Equatable {
    /// Returns whether both have the same numbers and estimates, whatever numbers they have had.
    static func == (one: SectionedSums, other: SectionedSums) -> Bool {
        one.counts == other.counts && one.values == other.values && one.guesses == other.guesses
    }
}
