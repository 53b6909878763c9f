/// What happens to a list's rows and sections in one go.
///
/// As in UITableView's batches, what is deleted, reloaded or moved away is named by its index
/// before the batch, and what is inserted or moved to a place by its index after it, whatever the
/// order of the calls. Rows of a deleted section go with it and are not named; those of an
/// inserted or reloaded one are implied by its count. A row may move out of a section that is
/// deleted, and into one that is inserted.
///
/// ```swift
/// var updates = ListUpdates()
/// updates.delete(RowIndex(section: 0, row: 3))
/// updates.insert(RowIndex(section: 0, row: 0))
/// updates.move(RowIndex(section: 0, row: 9), to: RowIndex(section: 1, row: 0))
/// let mapping = try list.perform(updates)
/// mapping.newIndex(of: RowIndex(section: 0, row: 4))  // 0.4: one went before it, and one came
/// ```
public struct ListUpdates: Sendable, Equatable {
    /// One of the things that happen.
    public enum Call: Sendable, Hashable {
        /// A row goes.
        case deleteRow(RowIndex)
        /// A row comes, to this place after the batch.
        case insertRow(RowIndex)
        /// A row goes elsewhere.
        case moveRow(RowIndex, to: RowIndex)
        /// A row stays, and is another.
        case reloadRow(RowIndex)
        /// A section goes, with its rows.
        case deleteSection(Int)
        /// A section comes, to this place after the batch, and has so many rows then.
        case insertSection(Int, rows: Int)
        /// A section goes elsewhere, with its rows.
        case moveSection(Int, to: Int)
        /// A section stays, and its rows are others; so many after the batch.
        case reloadSection(Int, rows: Int)
    }

    /// All of them, in the order in which they were asked for, which doesn't matter.
    public private(set) var calls: [Call]

    /// These things.
    public init(_ calls: [Call] = []) {
        self.calls = calls
    }

    /// A row goes.
    public mutating func delete(_ row: RowIndex) { calls.append(.deleteRow(row)) }

    /// A row comes, to this place after the batch.
    public mutating func insert(_ row: RowIndex) { calls.append(.insertRow(row)) }

    /// A row goes elsewhere.
    public mutating func move(_ row: RowIndex, to target: RowIndex) {
        calls.append(.moveRow(row, to: target))
    }

    /// A row stays, and is another.
    public mutating func reload(_ row: RowIndex) { calls.append(.reloadRow(row)) }

    /// A section goes, with its rows.
    public mutating func deleteSection(_ section: Int) { calls.append(.deleteSection(section)) }

    /// A section comes, to this place after the batch, and has so many rows then.
    public mutating func insertSection(_ section: Int, rows: Int) {
        calls.append(.insertSection(section, rows: rows))
    }

    /// A section goes elsewhere, with its rows.
    public mutating func moveSection(_ section: Int, to target: Int) {
        calls.append(.moveSection(section, to: target))
    }

    /// A section stays, and its rows are others; so many after the batch.
    public mutating func reloadSection(_ section: Int, rows: Int) {
        calls.append(.reloadSection(section, rows: rows))
    }
}

extension ListUpdates.Call: CustomStringConvertible {
    /// As `move row 0.9 to 1.0`.
    public var description: String {
        switch self {
        case .deleteRow(let row): "delete row \(row)"
        case .insertRow(let row): "insert row \(row)"
        case .moveRow(let row, let target): "move row \(row) to \(target)"
        case .reloadRow(let row): "reload row \(row)"
        case .deleteSection(let section): "delete section \(section)"
        case .insertSection(let section, let rows): "insert section \(section) of \(rows) rows"
        case .moveSection(let section, let target): "move section \(section) to \(target)"
        case .reloadSection(let section, let rows): "reload section \(section) to \(rows) rows"
        }
    }
}
