/// Something that has a place of its own in a list.
public enum ListElement: Hashable, Sendable {
    /// What stands above a section's rows.
    case header(section: Int)
    /// A row.
    case row(RowIndex)
    /// What stands below a section's rows.
    case footer(section: Int)
}
