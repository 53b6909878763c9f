/// An element of a list that has a position of its own.
public enum ListElement: Hashable, Sendable {
    /// The header above all sections; its height is zero until it is set.
    case listHeader
    /// The header above a section's rows.
    case header(section: Int)
    /// A row.
    case row(RowIndex)
    /// The footer below a section's rows.
    case footer(section: Int)
    /// The footer below all sections; its height is zero until it is set.
    case listFooter

    /// The section of the element; nil for the list's own header and footer.
    public var section: Int? {
        switch self {
        case .header(let section), .footer(let section): section
        case .row(let row): row.section
        case .listHeader, .listFooter: nil
        }
    }

    /// The row number in its section; 0 for a header or footer.
    var row: Int {
        if case .row(let index) = self { index.row } else { 0 }
    }

    /// The text of the element, for example `row 2.7`.
    var words: String {
        switch self {
        case .listHeader: "header of the list"
        case .header(let section): "header of section \(section)"
        case .row(let row): "row \(row.words)"
        case .footer(let section): "footer of section \(section)"
        case .listFooter: "footer of the list"
        }
    }

    /// Returns the next element, in a list of `sections` whose present one has this number of rows;
    /// the list's footer is the last.
    func next(inSectionOf rows: Int, of sections: Int) -> ListElement {
        let row: RowIndex
        switch self {
        case .listHeader: return sections > 0 ? .header(section: 0) : .listFooter
        case .footer(let section):
            return section + 1 < sections ? .header(section: section + 1) : .listFooter
        case .listFooter: return self
        case .header(let section): row = RowIndex(section: section, row: 0)
        case .row(let last): row = RowIndex(section: last.section, row: last.row + 1)
        }
        return row.row < rows ? .row(row) : .footer(section: row.section)
    }
}
