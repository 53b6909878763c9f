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
