/// The validated updates of rows in a batch.
struct RowCalls {
    /// The updates that delete or move a row, by its old index.
    private(set) var gone: [RowIndex: ListUpdate] = [:]
    private(set) var reloads: [RowIndex: ListUpdate] = [:]
    /// The updates that insert or move a row, by its new index.
    private(set) var come: [RowIndex: ListUpdate] = [:]
    /// The moved rows: new indexes by old ones.
    private(set) var moves: [RowIndex: RowIndex] = [:]
    /// The renumberings of rows, by new section.
    private(set) var renumberings: [Int: Renumbering] = [:]

    init(
        _ updates: [ListUpdate], of old: SectionedSums, _ sections: SectionCalls,
        _ mapping: IndexMapping
    ) throws(ListUpdateError) {
        for call in updates {
            switch call {
            case .deleteRow(let row):
                try addOrigin(row, call, old)
                try refuse(call, impliedBy: sections.deletions[row.section])
                try refuse(call, impliedBy: sections.reloads[row.section])
            case .reloadRow(let row):
                try addOrigin(row, call, old)
                try refuse(call, impliedBy: sections.deletions[row.section])
                try refuse(call, impliedBy: sections.reloads[row.section])
                gone[row] = nil
                reloads[row] = call
            case .moveRow(let row, let target):
                try addOrigin(row, call, old)
                try addTarget(target, call, sections)
                moves[row] = target
            case .insertRow(let row):
                try addTarget(row, call, sections)
                try refuse(call, impliedBy: sections.declaration(of: row.section))
            case .deleteSection, .insertSection, .moveSection, .reloadSection: break
            }
        }
        renumber(mapping)
        try checkTargets(old, sections, mapping)
    }

    private mutating func addOrigin(
        _ row: RowIndex, _ call: ListUpdate, _ old: SectionedSums
    ) throws(ListUpdateError) {
        guard row.section >= 0, row.section < old.sectionCount else {
            throw .noSuchSection(call, section: row.section, count: old.sectionCount)
        }
        let count = old.rowCount(inSection: row.section)
        guard row.row >= 0, row.row < count else {
            throw .noSuchRow(call, row: row, count: count)
        }
        if let other = reloads[row] ?? gone[row] { throw .namedTwice(other, call) }
        gone[row] = call
    }

    private mutating func addTarget(
        _ row: RowIndex, _ call: ListUpdate, _ sections: SectionCalls
    ) throws(ListUpdateError) {
        guard row.section >= 0, row.section < sections.newCount else {
            throw .noSuchSection(call, section: row.section, count: sections.newCount)
        }
        if let other = come.updateValue(call, forKey: row) { throw .namedTwice(other, call) }
    }

    private func refuse(
        _ call: ListUpdate, impliedBy section: ListUpdate?
    ) throws(ListUpdateError) {
        if let section { throw .impliedBySection(call, section) }
    }

    private mutating func renumber(_ mapping: IndexMapping) {
        var goneRows: [Int: [Int]] = [:]
        var givenRows: [Int: [Int]] = [:]
        for row in gone.keys {
            guard !mapping.reloadedSections.contains(row.section),
                let section = mapping.newSection(of: row.section)
            else { continue }
            goneRows[section, default: []].append(row.row)
        }
        for row in come.keys { givenRows[row.section, default: []].append(row.row) }
        for section in Set(goneRows.keys).union(givenRows.keys) {
            renumberings[section] = Renumbering(
                gone: goneRows[section] ?? [], given: givenRows[section] ?? [])
        }
    }

    /// Checks that the new index of each inserted or moved row exists after the batch.
    private func checkTargets(
        _ old: SectionedSums, _ sections: SectionCalls, _ mapping: IndexMapping
    ) throws(ListUpdateError) {
        for row in come.keys.sorted() {
            guard let call = come[row], let rows = renumberings[row.section] else { continue }
            let before = mapping.oldSection(of: row.section).map { old.rowCount(inSection: $0) }
            let count =
                sections.declaration(of: row.section)?.rows
                ?? (before ?? 0) - rows.gone.count + rows.given.count
            guard row.row >= 0, row.row < count else {
                throw .noSuchRow(call, row: row, count: count)
            }
        }
    }
}
