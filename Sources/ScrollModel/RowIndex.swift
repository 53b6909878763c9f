/// The name of a row: its section, and its number in there.
///
/// It names a place, not a thing: what is inserted, deleted or moved before it changes it. An
/// ``IndexMapping`` tells how.
public struct RowIndex: Hashable, Sendable {
    /// The section, from 0 on.
    public var section: Int
    /// The row in that section, from 0 on.
    public var row: Int

    /// The row of this number in this section.
    public init(section: Int, row: Int) {
        self.section = section
        self.row = row
    }
}

extension RowIndex: Comparable {
    /// Whether one comes before the other, from the top of the list.
    public static func < (one: RowIndex, other: RowIndex) -> Bool {
        (one.section, one.row) < (other.section, other.row)
    }
}

extension RowIndex: CustomStringConvertible {
    /// As `2.7`, for row 7 of section 2.
    public var description: String { "\(section).\(row)" }
}
