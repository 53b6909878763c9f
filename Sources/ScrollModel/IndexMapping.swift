/// The new indexes of rows and sections after a batch of updates, for whatever follows a list, such
/// as heights, loads under way, selections and cells.
///
/// A row that is reloaded keeps its place and counts as another, so that it has no new index; its
/// place is among the ``reloaded``. Each question is O(log k), for k updates.
public struct IndexMapping: Sendable, Equatable {
    var sections = Renumbering()
    /// By old section.
    var movedSections: [Int: Int] = [:]
    var movedSectionsBack: [Int: Int] = [:]
    /// Sections that stay in their place with other rows, by their old index.
    var reloadedSections: Set<Int> = []
    /// By new section, for those whose rows come and go.
    var rows: [Int: Renumbering] = [:]
    var movedRows: [RowIndex: RowIndex] = [:]
    var movedRowsBack: [RowIndex: RowIndex] = [:]
    var reloadedRows: Set<RowIndex> = []

    /// Everything where it was.
    package static let none = IndexMapping()

    /// The places, after the batch, of rows that were reloaded by themselves, rising.
    public internal(set) var reloaded: [RowIndex] = []

    /// The index that a section has now; nil if it was deleted.
    package func newSection(of old: Int) -> Int? {
        movedSections[old] ?? sections.new(old)
    }

    /// The index that a section had; nil if it was inserted.
    package func oldSection(of new: Int) -> Int? {
        movedSectionsBack[new] ?? sections.old(new)
    }

    /// The index that a row has now; nil if it went, or was reloaded.
    public func newIndex(of old: RowIndex) -> RowIndex? {
        if let moved = movedRows[old] { return moved }
        if reloadedRows.contains(old) { return nil }
        return newPlace(of: old)
    }

    /// Returns the index of a row that isn't moved by itself, reloaded or not.
    func newPlace(of old: RowIndex) -> RowIndex? {
        guard !reloadedSections.contains(old.section), let section = newSection(of: old.section)
        else { return nil }
        guard let rows = rows[section] else {
            return RowIndex(section: section, row: old.row)
        }
        return rows.new(old.row).map { RowIndex(section: section, row: $0) }
    }

    /// The index that a row had; nil if it came, or was reloaded.
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
