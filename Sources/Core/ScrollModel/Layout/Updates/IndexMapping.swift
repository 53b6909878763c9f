/// The new indexes of rows and sections after a batch of updates, for everything that follows a
/// list: heights, loads in progress, selections, cells.
///
/// A row that is reloaded keeps its position but counts as another row, so it has no new index. Each
/// query is O(log k), for k updates.
public struct IndexMapping: Sendable, Equatable {
    /// The sections that are deleted, and those that are inserted.
    let sections: IndexDifference
    /// The new row numbers, by new section, of sections with inserted, deleted or moved rows.
    let rows: [Int: IndexDifference]
    let movedRows: [RowIndex: RowIndex]
    private let movedRowsBack: [RowIndex: RowIndex]
    private let reloadedRows: Set<RowIndex>

    /// The positions, after the batch, of rows that were reloaded individually, ascending.
    package private(set) var reloaded: [RowIndex] = []

    /// The mapping without changes.
    static let none = IndexMapping(IndexDifference())

    init(
        _ sections: IndexDifference, rows: [Int: IndexDifference] = [:],
        moves: [RowIndex: RowIndex] = [:], reloads: Set<RowIndex> = []
    ) {
        self.sections = sections
        self.rows = rows
        movedRows = moves
        movedRowsBack = Dictionary(uniqueKeysWithValues: moves.map { ($1, $0) })
        reloadedRows = reloads
        reloaded = reloads.compactMap { newPlace(of: $0) }.sorted()
    }

    /// Returns the new index of a row; nil if it was deleted or reloaded.
    public func newIndex(of old: RowIndex) -> RowIndex? {
        if let moved = movedRows[old] { return moved }
        if reloadedRows.contains(old) { return nil }
        return newPlace(of: old)
    }

    /// Returns the new index of an element: of a row as ``newIndex(of:)`` does, of a header or footer
    /// with its section; nil if it was deleted, or is a row that was reloaded.
    ///
    /// The list's own header and footer stay.
    public func newElement(of old: ListElement) -> ListElement? {
        switch old {
        case .row(let row): newIndex(of: row).map { .row($0) }
        case .header(let section): sections.newIndex(of: section).map { .header(section: $0) }
        case .footer(let section): sections.newIndex(of: section).map { .footer(section: $0) }
        case .listHeader, .listFooter: old
        }
    }

    /// Returns the new index of a row that isn't moved individually, reloaded or not.
    func newPlace(of old: RowIndex) -> RowIndex? {
        guard let section = sections.newIndex(of: old.section) else { return nil }
        guard let rows = rows[section] else {
            return RowIndex(section: section, row: old.row)
        }
        return rows.newIndex(of: old.row).map { RowIndex(section: section, row: $0) }
    }

    /// Returns the old index of a row; nil if it was inserted or reloaded.
    public func oldIndex(of new: RowIndex) -> RowIndex? {
        if let moved = movedRowsBack[new] { return moved }
        guard let section = sections.oldIndex(of: new.section) else { return nil }
        let row = rows[new.section].map { $0.oldIndex(of: new.row) } ?? new.row
        guard let row else { return nil }
        let old = RowIndex(section: section, row: row)
        return reloadedRows.contains(old) ? nil : old
    }
}
