public import ScrollModel

/// The change of one batch: how to make the new list of the old one.
///
/// Take out what was removed, put in what was inserted, then set the heights of what was measured.
/// A picture whose file was replaced is removed and inserted at its place.
public struct CatalogueChange: Equatable, Sendable {
    /// The version of the list before.
    public let from: Int
    /// The version of the list now: the next number.
    public let to: Int
    /// The rows that went, by positions in the old list, rising.
    public let removed: [Range<Int>]
    /// The rows that came, by positions in the new list, rising.
    public let inserted: [Range<Int>]
    /// The rows that were there and have another height now, by positions in the new list, rising.
    public let measured: [Int]
    /// Whether sections came or went, or have other numbers of rows.
    public let areSectionsChanged: Bool
    /// The mapping of each row and section of the old list.
    public let mapping: IndexMapping
}
