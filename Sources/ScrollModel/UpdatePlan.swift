/// A batch of updates that adds up: what goes, what comes, and from where.
///
/// It is made before anything changes. The sections that go and those that come, and the rows, are
/// in rising order: taking out from the last on and putting in from the first on gives every index
/// its meaning.
struct UpdatePlan {
    /// What comes to a place.
    enum Source {
        /// Something new.
        case new
        /// What was elsewhere: a place in the list of what goes.
        case moved(Int)
    }

    private(set) var mapping = IndexMapping()
    /// Rows that are deleted or move, by their old index.
    private(set) var rowsGone: [(row: RowIndex, moves: Bool)] = []
    /// Rows that are inserted or move in, by their new index.
    private(set) var rowsCome: [(row: RowIndex, source: Source)] = []
    /// Sections that are deleted, move, or are reloaded, by their old index.
    private(set) var sectionsGone: [(section: Int, moves: Bool)] = []
    /// Sections that are inserted, move in, or were reloaded, by their new index, with the number
    /// of their own rows: those that don't move in.
    private(set) var sectionsCome: [(section: Int, source: Source, ownRows: Int)] = []
    /// How many rows of their own those have that are new or were reloaded.
    private var newSections: [Int: Int] = [:]
    /// How many sections there will be.
    private(set) var sectionCount: Int

    /// Checks a batch against the list that it is for; O(k log k + k log n).
    init(_ updates: [ListUpdate], of old: SectionedSums) throws(ListUpdateError) {
        sectionCount = old.sectionCount
        let sections = try SectionCalls(updates, count: old.sectionCount)
        sectionCount = sections.newCount
        try place(sections)
        let rows = try RowCalls(updates, of: old, sections, mapping)
        try place(rows, sections, of: old)
    }

    private mutating func place(_ calls: SectionCalls) throws(ListUpdateError) {
        mapping.sections = calls.renumbering
        for (old, new) in calls.moves {
            mapping.movedSections[old] = new
            mapping.movedSectionsBack[new] = old
        }
        for old in calls.reloads.keys {
            guard let new = mapping.sections.new(old) else { continue }
            mapping.reloadedSections[old] = new
            mapping.reloadedSectionsBack[new] = old
        }
        let gone = calls.renumbering.gone + calls.reloads.keys
        sectionsGone = gone.sorted().map { ($0, calls.moves[$0] != nil) }
    }

    private mutating func place(
        _ calls: RowCalls, _ sections: SectionCalls, of old: SectionedSums
    ) throws(ListUpdateError) {
        rowsGone = calls.gone.keys.sorted().map { ($0, calls.moves[$0] != nil) }
        var places: [RowIndex: Int] = [:]
        for (place, gone) in rowsGone.enumerated() where gone.moves { places[gone.row] = place }
        rowsCome = calls.come.keys.sorted().map { new in
            guard let old = calls.movesBack[new], let place = places[old] else {
                return (new, .new)
            }
            return (new, .moved(place))
        }
        mapping.movedRows = calls.moves
        mapping.movedRowsBack = calls.movesBack
        mapping.rows = calls.renumberings
        mapping.reloadedRows = Set(calls.reloads.keys)
        mapping.reloaded = calls.reloads.keys.compactMap { mapping.newPlace(of: $0) }.sorted()

        var sources: [Int: Source] = [:]
        for (place, gone) in sectionsGone.enumerated() where gone.moves {
            if let new = mapping.movedSections[gone.section] { sources[new] = .moved(place) }
        }
        var room = ListLayout.maximumCount - old.rowCount - old.sectionCount - calls.come.count
        let come = sections.renumbering.given + mapping.reloadedSectionsBack.keys
        for new in come.sorted() {
            let moved = calls.renumberings[new]?.given.count ?? 0
            let source = sources[new] ?? .new
            guard case .new = source, let call = sections.newOnes[new] ?? reload(of: new, sections)
            else {
                sectionsCome.append((new, source, 0))
                continue
            }
            let rows = call.rows
            guard rows >= moved else { throw .tooFewRows(call, moved: moved) }
            guard rows <= room else { throw .tooMany(call) }
            room -= rows
            sectionsCome.append((new, source, rows - moved))
            newSections[new] = rows - moved
        }
    }

    private func reload(of new: Int, _ sections: SectionCalls) -> ListUpdate? {
        mapping.reloadedSectionsBack[new].flatMap { sections.reloads[$0] }
    }

    /// Checks that every section has as many rows afterwards as is expected.
    func check(_ counts: [Int], before old: SectionedSums) throws(ListUpdateError) {
        guard counts.count == sectionCount else {
            throw .sectionCount(expected: counts.count, found: sectionCount)
        }
        for (section, expected) in counts.enumerated() {
            let before = mapping.oldSection(of: section).map { old.rowCount(inSection: $0) }
            let gone = mapping.rows[section]?.gone.count ?? 0
            let come = mapping.rows[section]?.given.count ?? 0
            let own = newSections[section]
            let found = own.map { $0 + come } ?? before.map { $0 - gone + come } ?? 0
            guard found != expected else { continue }
            throw .rowCount(
                section: section, expected: expected, before: own == nil ? before : nil,
                gone: gone, come: come, found: found)
        }
    }
}

extension ListUpdate {
    /// The rows of a section that is new or has new rows.
    fileprivate var rows: Int {
        switch self {
        case .insertSection(_, let rows), .reloadSection(_, let rows): rows
        default: 0
        }
    }
}
