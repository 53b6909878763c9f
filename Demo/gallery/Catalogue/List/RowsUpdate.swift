import ScrollModel

/// The updates of a list in one order, gathered section by section in that order.
struct RowsUpdate {
    private var removed: [Range<Int>] = []
    /// The new sections with their new rows.
    private var inserted: [(section: Int, rows: [Int])] = []
    private var updates: [ListUpdate] = []
    private var areSectionsChanged = false

    var isEmpty: Bool { updates.isEmpty }

    /// Adds the change of a section with `count` rows now: the removed rows by their old numbers, the
    /// inserted ones by their new numbers.
    ///
    /// The section was at `place` in the old list, nil if it's new, and is at `number` now.
    mutating func add(
        removed gone: [Int], inserted come: [Int], count: Int, in old: ListLayout,
        at place: Int?, to number: Int
    ) {
        if gone.isEmpty && come.isEmpty { return }
        if gone.count != come.count { areSectionsChanged = true }
        let start = place.map { old.position(of: RowIndex(section: $0, row: 0)) } ?? 0
        removed += gone.ranges(from: start)
        if !come.isEmpty { inserted.append((number, come)) }
        if let place, count > come.count {
            updates += gone.map { .deleteRow(RowIndex(section: place, row: $0)) }
            updates += come.map { .insertRow(RowIndex(section: number, row: $0)) }
        } else {
            // Deleting the whole section costs no more than deleting one row.
            if let place { updates.append(.deleteSection(place)) }
            if count > 0 { updates.append(.insertSection(number, rows: count)) }
        }
    }

    /// Performs the updates, then sets aspect ratios; see ``ArrangedRows/perform(_:ratios:)``.
    func perform(
        on rows: inout ArrangedRows, ratios: [(row: RowIndex, ratio: Double?)]
    ) -> RowsChange {
        let (mapping, measured) = rows.perform(updates, ratios: ratios)
        let layout = rows.layout
        let inserted = inserted.flatMap { section, numbers in
            numbers.ranges(from: layout.position(of: RowIndex(section: section, row: 0)))
        }
        return RowsChange(
            removed: removed.joined(), inserted: inserted.joined(), measured: measured,
            areSectionsChanged: areSectionsChanged, mapping: mapping)
    }
}

extension [Int] {
    /// Returns ascending numbers as ranges, each shifted by `start`.
    fileprivate func ranges(from start: Int) -> [Range<Int>] {
        map { $0 + start..<$0 + start + 1 }.joined()
    }
}

extension [Range<Int>] {
    /// Returns ascending ranges, with adjacent ones merged.
    fileprivate func joined() -> [Range<Int>] {
        reduce(into: []) { ranges, range in
            if let last = ranges.last, last.upperBound == range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
    }
}
