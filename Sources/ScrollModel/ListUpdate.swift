/// One of the things that happen to a list's rows and sections in one go, in a batch.
///
/// As in UITableView's batches, what is deleted, reloaded or moved away is named by its index
/// before the batch, and what is inserted or moved to a place by its index after it, whatever the
/// order. Rows of a deleted section go with it and are not named; those of an inserted or reloaded
/// one are implied by its count. A row may move out of a section that is deleted, and into one that
/// is inserted.
///
/// ```swift
/// let mapping = try list.perform([
///     .deleteRow(RowIndex(section: 0, row: 3)), .insertRow(RowIndex(section: 0, row: 0)),
///     .moveRow(RowIndex(section: 0, row: 9), to: RowIndex(section: 1, row: 0)),
/// ])
/// mapping.newIndex(of: RowIndex(section: 0, row: 4))  // 0.4: one went before it, and one came
/// ```
public enum ListUpdate: Sendable, Hashable {
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

extension ListUpdate {
    /// The number of rows of a section that is new or has new rows.
    var rows: Int? {
        switch self {
        case .insertSection(_, let rows), .reloadSection(_, let rows): rows
        default: nil
        }
    }

    /// As `move row 0.9 to 1.0`.
    var words: String {
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
