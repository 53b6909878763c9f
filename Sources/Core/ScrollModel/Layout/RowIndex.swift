/// The index of a row: its section, and its number in the section.
///
/// It identifies a position, not an item: insertions, deletions and moves before it change it. An
/// ``IndexMapping`` converts it.
public struct RowIndex: Hashable, Sendable {
    /// The number of the section, from 0.
    public var section: Int
    /// The number of the row in that section, from 0.
    public var row: Int

    /// An index with a section and a row number.
    public init(section: Int, row: Int) {
        self.section = section
        self.row = row
    }
}

extension RowIndex: Comparable {
    /// Returns whether one row comes before the other, from the top of the list.
    public static func < (one: RowIndex, other: RowIndex) -> Bool {
        (one.section, one.row) < (other.section, other.row)
    }
}

extension RowIndex {
    /// A text such as `2.7`, for row 7 of section 2.
    var words: String { "\(section).\(row)" }
}
