/// A validated batch of updates: removals, insertions and moves.
///
/// It is made before anything changes. Sections and rows are in ascending order: indexes stay valid
/// if removals are done from the last to the first, and insertions from the first to the last.
struct UpdatePlan {
    let mapping: IndexMapping
    /// Rows that are deleted or move, by their old index.
    let removedRows: [RowIndex]
    /// Rows that are inserted or move in, by their new index.
    let insertedRows: [RowIndex]
    /// The number of rows, without those that move in, of sections that are inserted.
    let ownRows: [Int: Int]

    /// Validates a batch for a list; O(k log k + k log n).
    init(_ updates: [ListUpdate], of old: SectionedSums) throws(ListUpdateError) {
        let sections = try SectionUpdates(updates, count: old.sectionCount)
        var mapping = IndexMapping(sections.difference)
        let rows = try RowUpdates(updates, of: old, sections, mapping)
        mapping.add(rows)
        self.mapping = mapping
        removedRows = rows.origins.keys.sorted()
        insertedRows = rows.targets.keys.sorted()

        var room = HeightSteps.maximumCount - old.rowCount - old.sectionCount - insertedRows.count
        var ownRows: [Int: Int] = [:]
        for section in mapping.sections.inserted {
            guard let update = sections.insertions[section], let count = update.rows else {
                continue
            }
            let moved = rows.differences[section]?.inserted.count ?? 0
            guard count >= moved else { throw .tooFewRows(update, moved: moved) }
            guard count <= room else { throw .tooMany(update) }
            room -= count
            ownRows[section] = count - moved
        }
        self.ownRows = ownRows
    }
}
