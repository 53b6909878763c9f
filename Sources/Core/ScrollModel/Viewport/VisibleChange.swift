internal import LullLibC

/// The rows that came into view and those that left it, in the order of scrolling.
///
/// Rows are ascending when scrolling down, and descending when scrolling up, which is the order in
/// which to load `entered`. O(1): no list is made, and nothing is allocated.
public struct VisibleChange: Sendable {
    /// The rows that are visible now and were not before.
    public let entered: PassedRows

    /// The rows that were visible before and are not now.
    public let left: PassedRows

    /// The difference between two sets of visible rows of one list.
    package init(from old: RowSet, to new: RowSet) {
        let isUpwards = new.lowerBound < old.lowerBound || new.upperBound < old.upperBound
        entered = PassedRows(new, besides: old, isReversed: isUpwards)
        left = PassedRows(old, besides: new, isReversed: isUpwards)
    }
}

/// Rows that came into view or left it, in the order of scrolling.
///
/// It is a collection of positions: ascending when scrolling down, descending when scrolling up. It
/// stores no list of them, and allocates nothing.
public struct PassedRows: RandomAccessCollection, Sendable {
    private let rows: RowSet
    /// The number of them before those that stay.
    private let above: Int
    /// The index of the first of them behind those that stay.
    private let below: Int
    private let isReversed: Bool

    /// The rows of `rows` that aren't within the bounds of `others`.
    init(_ rows: RowSet, besides others: RowSet, isReversed: Bool) {
        self.rows = rows
        above = rows.count(before: others.lowerBound)
        below = rows.count(before: others.upperBound)
        self.isReversed = isReversed
    }

    /// Always zero.
    public var startIndex: Int { 0 }

    /// The number of rows.
    public var endIndex: Int { above + rows.count - below }

    /// The position of the row at an index in the order of scrolling.
    public subscript(index: Int) -> Int {
        precondition(index >= 0 && index < endIndex, "a row that was passed")
        let rank = isReversed ? endIndex - 1 - index : index
        return rows[rank < above ? rank : below + rank - above]
    }
}
