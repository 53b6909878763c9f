/// The rows that came into view and those that went out of it, in the order of travel.
///
/// Rows come and go in the order in which a scrolling eye meets them: ascending on the way down,
/// descending on the way up. Whoever loads rows can take `entered` as it stands. O(1): nothing is
/// listed, and nothing allocated.
public struct VisibleChange: Sendable {
    /// Rows that are visible now and were not before.
    public let entered: PassedRows

    /// Rows that were visible before and are not now.
    public let left: PassedRows

    /// The difference between two ranges of visible rows.
    package init(from old: Range<Int>, to new: Range<Int>) {
        let isUpwards = new.lowerBound < old.lowerBound || new.upperBound < old.upperBound
        entered = PassedRows(new, besides: old, isReversed: isUpwards)
        left = PassedRows(old, besides: new, isReversed: isUpwards)
    }
}

/// Rows that came into view or went out of it, in the order in which a scrolling eye meets them.
///
/// It is a collection of positions: ascending on the way down, descending on the way up. It holds
/// no list of them, and allocates nothing.
public struct PassedRows: RandomAccessCollection, Sendable {
    private let upper: Range<Int>
    private let lower: Range<Int>
    private let isReversed: Bool

    /// Those of `rows` that aren't among `others`.
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

    /// The position of the row that was met after so many others.
    public subscript(index: Int) -> Int {
        precondition(index >= 0 && index < endIndex, "a row that was passed")
        let rank = isReversed ? endIndex - 1 - index : index
        return rank < upper.count
            ? upper.lowerBound + rank : lower.lowerBound + rank - upper.count
    }
}
