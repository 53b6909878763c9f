/// A validated batch of updates: removals, insertions and moves.
///
/// It is made before anything changes. Sections and rows are in ascending order: indexes stay valid
/// if removals are done from the last to the first, and insertions from the first to the last.
struct UpdatePlan {
    private(set) var mapping = IndexMapping.none
    /// The number of rows, without those that move in, of sections that are inserted.
    private(set) var ownRows: [Int: Int] = [:]

    private let old: SectionedSums
    /// The number of sections after the batch.
    private let sectionCount: Int
    /// The updates that delete a section, by its old index, and that insert one, by its new index.
    private let sections: (deleted: [Int: ListUpdate], inserted: [Int: ListUpdate])
    /// The updates that delete or move a row, by its old index.
    private var origins: [RowIndex: ListUpdate] = [:]
    /// The updates that insert or move a row, by its new index.
    private var targets: [RowIndex: ListUpdate] = [:]

    /// Rows that are deleted or move, by their old index.
    var removedRows: [RowIndex] { origins.keys.sorted() }
    /// Rows that are inserted or move in, by their new index.
    var insertedRows: [RowIndex] { targets.keys.sorted() }

    /// Validates a batch for a list; O(k log k + k log n).
    init(_ updates: [ListUpdate], of old: SectionedSums) throws(ListUpdateError) {
        self.old = old
        sections = try Self.sections(updates, count: old.sectionCount)
        sectionCount = old.sectionCount - sections.deleted.count + sections.inserted.count
        for (new, update) in sections.inserted.sorted(by: { $0.key < $1.key }) {
            guard new >= 0, new < sectionCount else {
                throw .noSuchSection(update, section: new, count: sectionCount)
            }
        }
        var moves: [RowIndex: RowIndex] = [:]
        var reloads: [RowIndex: ListUpdate] = [:]
        for update in updates {
            switch update {
            case .deleteRow(let row), .reloadRow(let row):
                try check(row, of: update, besides: reloads)
                if let section = sections.deleted[row.section] {
                    throw .impliedBySection(update, section)
                }
                if case .reloadRow = update { reloads[row] = update } else { origins[row] = update }
            case .moveRow(let row, let target):
                try check(row, of: update, besides: reloads)
                origins[row] = update
                try addTarget(target, update)
                moves[row] = target
            case .insertRow(let row):
                try addTarget(row, update)
                if let section = sections.inserted[row.section] {
                    throw .impliedBySection(update, section)
                }
            case .deleteSection, .insertSection: break
            }
        }
        let difference = IndexDifference(
            removed: Array(sections.deleted.keys), inserted: Array(sections.inserted.keys))
        mapping = IndexMapping(
            difference, rows: Self.differences(origins.keys, targets.keys, difference),
            moves: moves, reloads: Set(reloads.keys))
        try checkTargets()
        try countOwnRows()
    }

    private static func sections(
        _ updates: [ListUpdate], count: Int
    ) throws(ListUpdateError) -> (deleted: [Int: ListUpdate], inserted: [Int: ListUpdate]) {
        var (deleted, inserted): ([Int: ListUpdate], [Int: ListUpdate]) = ([:], [:])
        for update in updates {
            let other: ListUpdate?
            switch update {
            case .deleteSection(let old):
                guard old >= 0, old < count else {
                    throw .noSuchSection(update, section: old, count: count)
                }
                other = deleted.updateValue(update, forKey: old)
            case .insertSection(let new, let rows):
                guard rows >= 0 else { throw .tooFewRows(update, moved: 0) }
                other = inserted.updateValue(update, forKey: new)
            case .deleteRow, .insertRow, .moveRow, .reloadRow: continue
            }
            if let other { throw .namedTwice(other, update) }
        }
        return (deleted, inserted)
    }

    /// Checks that a row exists before the batch, and that no other update is about it.
    private func check(
        _ row: RowIndex, of update: ListUpdate, besides reloads: [RowIndex: ListUpdate]
    ) throws(ListUpdateError) {
        guard row.section >= 0, row.section < old.sectionCount else {
            throw .noSuchSection(update, section: row.section, count: old.sectionCount)
        }
        let count = old.rowCount(inSection: row.section)
        guard row.row >= 0, row.row < count else {
            throw .noSuchRow(update, row: row, count: count)
        }
        if let other = reloads[row] ?? origins[row] { throw .namedTwice(other, update) }
    }

    private mutating func addTarget(
        _ row: RowIndex, _ update: ListUpdate
    ) throws(ListUpdateError) {
        guard row.section >= 0, row.section < sectionCount else {
            throw .noSuchSection(update, section: row.section, count: sectionCount)
        }
        if let other = targets.updateValue(update, forKey: row) { throw .namedTwice(other, update) }
    }

    /// Returns the differences of row numbers, by new section.
    private static func differences(
        _ origins: some Sequence<RowIndex>, _ targets: some Sequence<RowIndex>,
        _ sections: IndexDifference
    ) -> [Int: IndexDifference] {
        var rows: [Int: (removed: [Int], inserted: [Int])] = [:]
        for row in origins {
            guard let section = sections.newIndex(of: row.section) else { continue }
            rows[section, default: ([], [])].removed.append(row.row)
        }
        for row in targets { rows[row.section, default: ([], [])].inserted.append(row.row) }
        return rows.mapValues { IndexDifference(removed: $0.removed, inserted: $0.inserted) }
    }

    /// Checks that the new index of each inserted or moved row exists after the batch.
    private func checkTargets() throws(ListUpdateError) {
        for row in insertedRows {
            guard let update = targets[row], let rows = mapping.rows[row.section] else { continue }
            let before = mapping.sections.oldIndex(of: row.section).map {
                old.rowCount(inSection: $0)
            }
            let count =
                sections.inserted[row.section]?.rows
                ?? (before ?? 0) - rows.removed.count + rows.inserted.count
            guard row.row >= 0, row.row < count else {
                throw .noSuchRow(update, row: row, count: count)
            }
        }
    }

    private mutating func countOwnRows() throws(ListUpdateError) {
        var room = HeightSteps.maximumCount - old.rowCount - old.sectionCount - targets.count
        for section in mapping.sections.inserted {
            guard let update = sections.inserted[section], let count = update.rows else { continue }
            let moved = mapping.rows[section]?.inserted.count ?? 0
            guard count >= moved else { throw .tooFewRows(update, moved: moved) }
            guard count <= room else { throw .tooMany(update) }
            room -= count
            ownRows[section] = count - moved
        }
    }
}
