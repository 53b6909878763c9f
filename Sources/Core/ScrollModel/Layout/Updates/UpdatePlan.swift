/// A validated batch of updates: removals, insertions and moves.
///
/// It is made before anything changes. Sections and rows are in ascending order: indexes stay valid
/// if removals are done from the last to the first, and insertions from the first to the last.
struct UpdatePlan {
    let mapping: IndexMapping
    /// Rows that are deleted or move, by their old index.
    let rowsGone: [RowIndex]
    /// Rows that are inserted or move in, by their new index.
    let rowsCome: [RowIndex]
    /// Sections that are deleted, move, or are reloaded, by their old index.
    let sectionsGone: [Int]
    /// Sections that are inserted, move in, or were reloaded, by their new index.
    let sectionsCome: [Int]
    /// The number of rows, without those that move in, of sections that are new or were reloaded.
    let ownRows: [Int: Int]
    /// The number of sections after the batch.
    private let sectionCount: Int

    /// Validates a batch for a list; O(k log k + k log n).
    init(_ updates: [ListUpdate], of old: SectionedSums) throws(ListUpdateError) {
        let sections = try SectionCalls(updates, count: old.sectionCount)
        var mapping = IndexMapping()
        mapping.sections = sections.renumbering
        mapping.movedSections = sections.moves
        mapping.movedSectionsBack = Self.inverse(of: sections.moves)
        mapping.reloadedSections = Set(sections.reloads.keys)

        let rows = try RowCalls(updates, of: old, sections, mapping)
        mapping.rows = rows.renumberings
        mapping.movedRows = rows.moves
        mapping.movedRowsBack = Self.inverse(of: rows.moves)
        mapping.reloadedRows = Set(rows.reloads.keys)
        mapping.reloaded = rows.reloads.keys.compactMap(mapping.newPlace).sorted()
        self.mapping = mapping
        rowsGone = rows.gone.keys.sorted()
        rowsCome = rows.come.keys.sorted()

        let reloaded = sections.reloads.keys
        sectionCount = sections.newCount
        sectionsGone = (sections.renumbering.gone + reloaded).sorted()
        sectionsCome = (sections.renumbering.given + reloaded.compactMap(sections.renumbering.new))
            .sorted()
        var room = ListLayout.maximumCount - old.rowCount - old.sectionCount - rowsCome.count
        var ownRows: [Int: Int] = [:]
        for section in sectionsCome {
            guard let call = sections.declaration(of: section), let count = call.rows else {
                continue
            }
            let moved = rows.renumberings[section]?.given.count ?? 0
            guard count >= moved else { throw .tooFewRows(call, moved: moved) }
            guard count <= room else { throw .tooMany(call) }
            room -= count
            ownRows[section] = count - moved
        }
        self.ownRows = ownRows
    }

    private static func inverse<Index>(of moves: [Index: Index]) -> [Index: Index] {
        Dictionary(uniqueKeysWithValues: moves.map { ($1, $0) })
    }

    /// Checks that every section has the expected number of rows after the batch.
    func check(_ counts: [Int], before old: SectionedSums) throws(ListUpdateError) {
        guard counts.count == sectionCount else {
            throw .sectionCount(expected: counts.count, found: sectionCount)
        }
        for (section, expected) in counts.enumerated() {
            let before = mapping.oldSection(of: section).map { old.rowCount(inSection: $0) }
            let gone = mapping.rows[section]?.gone.count ?? 0
            let come = mapping.rows[section]?.given.count ?? 0
            let own = ownRows[section]
            let found = own.map { $0 + come } ?? before.map { $0 - gone + come } ?? 0
            guard found != expected else { continue }
            throw .rowCount(
                section: section, expected: expected, before: own == nil ? before : nil,
                gone: gone, come: come, found: found)
        }
    }
}
