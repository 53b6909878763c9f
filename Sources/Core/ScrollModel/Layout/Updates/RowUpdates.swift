/// The validated updates of rows in a batch.
struct RowUpdates {
    /// The updates that delete or move a row, by its old index.
    private(set) var origins: [RowIndex: ListUpdate] = [:]
    private(set) var reloads: [RowIndex: ListUpdate] = [:]
    /// The updates that insert or move a row, by its new index.
    private(set) var targets: [RowIndex: ListUpdate] = [:]
    /// The moved rows: new indexes by old ones.
    private(set) var moves: [RowIndex: RowIndex] = [:]
    /// The differences of row numbers, by new section.
    private(set) var differences: [Int: IndexDifference] = [:]

    init(
        _ updates: [ListUpdate], of old: SectionedSums, _ sections: SectionUpdates,
        _ mapping: IndexMapping
    ) throws(ListUpdateError) {
        for update in updates {
            switch update {
            case .deleteRow(let row), .reloadRow(let row):
                try addOrigin(row, update, old)
                try refuse(update, impliedBy: sections.deletions[row.section])
                if case .reloadRow = update {
                    origins[row] = nil
                    reloads[row] = update
                }
            case .moveRow(let row, let target):
                try addOrigin(row, update, old)
                try addTarget(target, update, sections)
                moves[row] = target
            case .insertRow(let row):
                try addTarget(row, update, sections)
                try refuse(update, impliedBy: sections.insertions[row.section])
            case .deleteSection, .insertSection: break
            }
        }
        addDifferences(mapping)
        try checkTargets(old, sections, mapping)
    }

    private mutating func addOrigin(
        _ row: RowIndex, _ update: ListUpdate, _ old: SectionedSums
    ) throws(ListUpdateError) {
        guard row.section >= 0, row.section < old.sectionCount else {
            throw .noSuchSection(update, section: row.section, count: old.sectionCount)
        }
        let count = old.rowCount(inSection: row.section)
        guard row.row >= 0, row.row < count else {
            throw .noSuchRow(update, row: row, count: count)
        }
        if let other = reloads[row] ?? origins[row] { throw .namedTwice(other, update) }
        origins[row] = update
    }

    private mutating func addTarget(
        _ row: RowIndex, _ update: ListUpdate, _ sections: SectionUpdates
    ) throws(ListUpdateError) {
        guard row.section >= 0, row.section < sections.newCount else {
            throw .noSuchSection(update, section: row.section, count: sections.newCount)
        }
        if let other = targets.updateValue(update, forKey: row) { throw .namedTwice(other, update) }
    }

    private func refuse(
        _ update: ListUpdate, impliedBy section: ListUpdate?
    ) throws(ListUpdateError) {
        if let section { throw .impliedBySection(update, section) }
    }

    private mutating func addDifferences(_ mapping: IndexMapping) {
        var removed: [Int: [Int]] = [:]
        var inserted: [Int: [Int]] = [:]
        for row in origins.keys {
            guard let section = mapping.sections.newIndex(of: row.section) else { continue }
            removed[section, default: []].append(row.row)
        }
        for row in targets.keys { inserted[row.section, default: []].append(row.row) }
        for section in Set(removed.keys).union(inserted.keys) {
            differences[section] = IndexDifference(
                removed: removed[section] ?? [], inserted: inserted[section] ?? [])
        }
    }

    /// Checks that the new index of each inserted or moved row exists after the batch.
    private func checkTargets(
        _ old: SectionedSums, _ sections: SectionUpdates, _ mapping: IndexMapping
    ) throws(ListUpdateError) {
        for row in targets.keys.sorted() {
            guard let update = targets[row], let rows = differences[row.section] else { continue }
            let before = mapping.sections.oldIndex(of: row.section).map {
                old.rowCount(inSection: $0)
            }
            let count =
                sections.insertions[row.section]?.rows
                ?? (before ?? 0) - rows.removed.count + rows.inserted.count
            guard row.row >= 0, row.row < count else {
                throw .noSuchRow(update, row: row, count: count)
            }
        }
    }
}
