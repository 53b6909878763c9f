/// The rows that came into view and those that went out of it, in the order of travel.
///
/// Rows come and go in the order in which a scrolling eye meets them: ascending on the way down,
/// descending on the way up. Whoever loads rows can take `entered` as it stands.
public struct VisibleChange: Equatable, Sendable {
    /// Rows that are visible now and were not before.
    public var entered: [Int]

    /// Rows that were visible before and are not now.
    public var left: [Int]

    /// The difference between two ranges of visible rows; O(rows in both).
    public init(from old: Range<Int>, to new: Range<Int>) {
        entered = new.filter { !old.contains($0) }
        left = old.filter { !new.contains($0) }
        if new.lowerBound < old.lowerBound || new.upperBound < old.upperBound {
            entered.reverse()
            left.reverse()
        }
    }

    /// Whether the same rows are visible as before.
    public var isEmpty: Bool { entered.isEmpty && left.isEmpty }
}
