/// The new indexes of rows and sections after a batch of updates, for everything that follows a
/// list: heights, loads in progress, selections, cells.
///
/// A row that is reloaded keeps its position but counts as another row, so it has no new index; its
/// position is among the ``reloaded``. Each query is O(log k), for k updates.
public struct IndexMapping: Sendable, Equatable {
    var sections = Renumbering()
    /// The new indexes of moved sections by their old index, and the reverse.
    var movedSections: [Int: Int] = [:]
    var movedSectionsBack: [Int: Int] = [:]
    /// Sections that keep their position with other rows, by their old index.
    var reloadedSections: Set<Int> = []
    /// The new row numbers, by new section, of sections with inserted, deleted or moved rows.
    var rows: [Int: Renumbering] = [:]
    var movedRows: [RowIndex: RowIndex] = [:]
    var movedRowsBack: [RowIndex: RowIndex] = [:]
    var reloadedRows: Set<RowIndex> = []

    /// The mapping without changes.
    package static let none = IndexMapping()

    /// The positions, after the batch, of rows that were reloaded individually, ascending.
    public internal(set) var reloaded: [RowIndex] = []

    /// Returns the new index of a section; nil if it was deleted.
    package func newSection(of old: Int) -> Int? {
        movedSections[old] ?? sections.new(old)
    }

    /// Returns the old index of a section; nil if it was inserted.
    package func oldSection(of new: Int) -> Int? {
        movedSectionsBack[new] ?? sections.old(new)
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
        return rows.new(old.row).map { RowIndex(section: section, row: $0) }
    }

    /// Returns the old index of a row; nil if it was inserted or reloaded.
    public func oldIndex(of new: RowIndex) -> RowIndex? {
        if let moved = movedRowsBack[new] { return moved }
        guard let section = oldSection(of: new.section), !reloadedSections.contains(section)
        else { return nil }
        let row = rows[new.section].map { $0.old(new.row) } ?? new.row
        guard let row else { return nil }
        let old = RowIndex(section: section, row: row)
        return reloadedRows.contains(old) ? nil : old
    }
}
