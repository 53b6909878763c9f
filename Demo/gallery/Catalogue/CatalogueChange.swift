public import ScrollModel

/// The change of one batch, which converts the old list to the new one.
public struct CatalogueChange: Equatable, Sendable {
    /// The version of the list before.
    public let from: Int
    /// The version of the list now, which is the next number.
    public let to: Int
    /// The change of the rows by name.
    let byName: RowsChange
    /// The change of the rows by date.
    let byDate: RowsChange

    /// Returns the change of the rows in an order.
    public subscript(order: ListOrder) -> RowsChange { order == .name ? byName : byDate }
}

/// The change of a list's rows in one order.
///
/// Remove the removed rows, insert the inserted ones, then set the aspect ratios of the measured
/// ones. A picture whose file was replaced is removed and inserted at its place; one whose date
/// becomes known may be inserted at another.
public struct RowsChange: Equatable, Sendable {
    /// The removed rows, by positions in the old list, ascending.
    public let removed: [Range<Int>]
    /// The inserted rows, by positions in the new list, ascending.
    public let inserted: [Range<Int>]
    /// The existing rows whose aspect ratio has changed, by positions in the new list, ascending.
    public let measured: [Int]
    /// Whether sections were inserted or removed, or their numbers of rows have changed.
    public let areSectionsChanged: Bool
    /// The mapping of each row and section of the old list.
    public let mapping: IndexMapping
}
