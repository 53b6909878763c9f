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

    /// The difference between two ranges of visible rows.
    package init(from old: Range<Int>, to new: Range<Int>) {
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
    private let upper: Range<Int>
    private let lower: Range<Int>
    private let isReversed: Bool

    /// The rows of `rows` that aren't among `others`.
    init(_ rows: Range<Int>, besides others: Range<Int>, isReversed: Bool) {
        let end = Swift.min(rows.upperBound, others.lowerBound)
        let start = Swift.max(rows.lowerBound, others.upperBound)
        upper = rows.lowerBound..<Swift.max(rows.lowerBound, end)
        lower = Swift.min(start, rows.upperBound)..<rows.upperBound
        self.isReversed = isReversed
    }

    /// Always zero.
    public var startIndex: Int { 0 }

    /// The number of rows.
    public var endIndex: Int { upper.count + lower.count }

    /// The position of the row at an index in the order of scrolling.
    public subscript(index: Int) -> Int {
        precondition(index >= 0 && index < endIndex, "a row that was passed")
        let rank = isReversed ? endIndex - 1 - index : index
        return rank < upper.count
            ? upper.lowerBound + rank : lower.lowerBound + rank - upper.count
    }
}
