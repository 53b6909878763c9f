/// An element of a list that has a position of its own.
public enum ListElement: Hashable, Sendable {
    /// The header above a section's rows.
    case header(section: Int)
    /// A row.
    case row(RowIndex)
    /// The footer below a section's rows.
    case footer(section: Int)

    /// The section of the element.
    package var section: Int {
        switch self {
        case .header(let section), .footer(let section): section
        case .row(let row): row.section
        }
    }

    /// The row number in its section; 0 for a header or footer.
    var row: Int {
        if case .row(let index) = self { index.row } else { 0 }
    }

    /// The text of the element, for example `row 2.7`.
    var words: String {
        switch self {
        case .header(let section): "header of section \(section)"
        case .row(let row): "row \(row.words)"
        case .footer(let section): "footer of section \(section)"
        }
    }

    /// Returns the next element, in a list whose section has this number of rows.
    func next(inSectionOf rows: Int) -> ListElement {
        let row: RowIndex
        switch self {
        case .footer(let section): return .header(section: section + 1)
        case .header(let section): row = RowIndex(section: section, row: 0)
        case .row(let last): row = RowIndex(section: last.section, row: last.row + 1)
        }
        return row.row < rows ? .row(row) : .footer(section: row.section)
    }
}
