/// The new indexes of rows and sections after a batch of updates, for everything that follows a
/// list: heights, loads in progress, selections, cells.
///
/// A row that is reloaded keeps its position but counts as another row, so it has no new index; its
/// position is among the ``reloaded``. Each query is O(log k), for k updates.
public struct IndexMapping: Sendable, Equatable {
    private var sections = IndexDifference()
    /// The new indexes of moved sections by their old index, and the reverse.
    private(set) var movedSections: [Int: Int] = [:]
    private var movedSectionsBack: [Int: Int] = [:]
    /// Sections that keep their position with other rows, by their old index.
    private(set) var reloadedSections: Set<Int> = []
    /// The new row numbers, by new section, of sections with inserted, deleted or moved rows.
    private(set) var rows: [Int: IndexDifference] = [:]
    private(set) var movedRows: [RowIndex: RowIndex] = [:]
    private var movedRowsBack: [RowIndex: RowIndex] = [:]
    private var reloadedRows: Set<RowIndex> = []

    /// The positions, after the batch, of rows that were reloaded individually, ascending.
    public private(set) var reloaded: [RowIndex] = []

    /// The mapping without changes.
    public static let none = IndexMapping()

    private init() {}

    /// The mapping of updates of sections, to which those of rows are to be added.
    init(_ updates: SectionUpdates) {
        sections = updates.difference
        movedSections = updates.moves
        movedSectionsBack = Self.inverse(of: updates.moves)
        reloadedSections = Set(updates.reloads.keys)
    }

    /// Sections that are deleted, move, or are reloaded, by their old index, ascending.
    var removedSections: [Int] { (sections.removed + reloadedSections).sorted() }

    /// Sections that are inserted, move in, or were reloaded, by their new index, ascending.
    var insertedSections: [Int] {
        (sections.inserted + reloadedSections.compactMap(sections.newIndex)).sorted()
    }

    /// Adds the updates of rows.
    mutating func add(_ updates: RowUpdates) {
        rows = updates.differences
        movedRows = updates.moves
        movedRowsBack = Self.inverse(of: updates.moves)
        reloadedRows = Set(updates.reloads.keys)
        reloaded = updates.reloads.keys.compactMap { newPlace(of: $0) }.sorted()
    }

    private static func inverse<Index>(of moves: [Index: Index]) -> [Index: Index] {
        Dictionary(uniqueKeysWithValues: moves.map { ($1, $0) })
    }

    /// Returns the new index of a section; nil if it was deleted.
    package func newSection(of old: Int) -> Int? {
        movedSections[old] ?? sections.newIndex(of: old)
    }

    /// Returns the old index of a section; nil if it was inserted.
    package func oldSection(of new: Int) -> Int? {
        movedSectionsBack[new] ?? sections.oldIndex(of: new)
    }

    /// Returns the new index of a row; nil if it was deleted or reloaded.
    public func newIndex(of old: RowIndex) -> RowIndex? {
        if let moved = movedRows[old] { return moved }
        if reloadedRows.contains(old) { return nil }
        return newPlace(of: old)
    }

    /// Returns the new index of a row that isn't moved individually, reloaded or not.
    func newPlace(of old: RowIndex) -> RowIndex? {
        guard !reloadedSections.contains(old.section), let section = newSection(of: old.section)
        else { return nil }
        guard let rows = rows[section] else {
            return RowIndex(section: section, row: old.row)
        }
        return rows.newIndex(of: old.row).map { RowIndex(section: section, row: $0) }
    }

    /// Returns the old index of a row; nil if it was inserted or reloaded.
    public func oldIndex(of new: RowIndex) -> RowIndex? {
        if let moved = movedRowsBack[new] { return moved }
        guard let section = oldSection(of: new.section), !reloadedSections.contains(section)
        else { return nil }
        let row = rows[new.section].map { $0.oldIndex(of: new.row) } ?? new.row
        guard let row else { return nil }
        let old = RowIndex(section: section, row: row)
        return reloadedRows.contains(old) ? nil : old
    }
}
