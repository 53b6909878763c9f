public import ScrollModel

/// The change of one batch, which converts the old list to the new one.
///
/// Remove the removed rows, insert the inserted ones, then set the heights of the measured ones. A
/// picture whose file was replaced is removed and inserted at its place.
public struct CatalogueChange: Equatable, Sendable {
    /// The version of the list before.
    public let from: Int
    /// The version of the list now, which is the next number.
    public let to: Int
    /// The removed rows, by positions in the old list, ascending.
    public let removed: [Range<Int>]
    /// The inserted rows, by positions in the new list, ascending.
    public let inserted: [Range<Int>]
    /// The existing rows whose height has changed, by positions in the new list, ascending.
    public let measured: [Int]
    /// Whether sections were inserted or removed, or their numbers of rows have changed.
    public let areSectionsChanged: Bool
    /// The mapping of each row and section of the old list.
    public let mapping: IndexMapping
}
