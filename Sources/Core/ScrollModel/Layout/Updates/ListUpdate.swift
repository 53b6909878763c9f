/// One change of a list's rows or sections in a batch of updates.
///
/// As in UITableView's batch updates, deleted, reloaded and moved rows are given by their index
/// before the batch; inserted rows and the targets of moves by their index after it, whatever the
/// order of updates. Rows of a deleted section are deleted with it and must not be given; the rows
/// of an inserted section are given by its count. A row may move out of a section that is deleted,
/// and into one that is inserted.
///
/// ```swift
/// let mapping = try list.perform([
///     .deleteRow(RowIndex(section: 0, row: 3)), .insertRow(RowIndex(section: 0, row: 0)),
///     .moveRow(RowIndex(section: 0, row: 9), to: RowIndex(section: 1, row: 0)),
/// ])
/// mapping.newIndex(of: RowIndex(section: 0, row: 4))  // row 4: one went before it, and one came
/// ```
public enum ListUpdate: Sendable, Hashable {
    /// Deletes a row.
    case deleteRow(RowIndex)
    /// Inserts a row, at this index after the batch.
    case insertRow(RowIndex)
    /// Moves a row.
    case moveRow(RowIndex, to: RowIndex)
    /// Reloads a row, which keeps its position and gets other content.
    case reloadRow(RowIndex)
    /// Deletes a section with its rows.
    case deleteSection(Int)
    /// Inserts a section, at this index after the batch, with this number of rows after it.
    case insertSection(Int, rows: Int)

    /// The number of rows of a section that is inserted.
    var rows: Int? {
        if case .insertSection(_, let rows) = self { rows } else { nil }
    }

    /// The text of the update, for example `move row 0.9 to 1.0`.
    var words: String {
        switch self {
        case .deleteRow(let row): "delete row \(row.words)"
        case .insertRow(let row): "insert row \(row.words)"
        case .moveRow(let row, let target): "move row \(row.words) to \(target.words)"
        case .reloadRow(let row): "reload row \(row.words)"
        case .deleteSection(let section): "delete section \(section)"
        case .insertSection(let section, let rows): "insert section \(section) of \(rows) rows"
        }
    }
}
