internal import LullLibC

/// A set of rows by their positions, in ascending order: the rows in view, without those between
/// them that have no pixels.
///
/// ```swift
/// for row in viewport.visibleRows { … }
/// viewport.visibleRows.bounds  // from the first to the last, and what lies between them
/// ```
///
/// Neighbours are stored as a range, so that most sets allocate nothing, and their questions are
/// O(1); in a set with gaps they are O(log gaps).
public struct RowSet: RandomAccessCollection, Hashable, Sendable {
    /// Rows between two of the set that don't belong to it.
    private struct Gap: Hashable {
        let rows: Range<Int>
        /// The number of the set's rows before it.
        let before: Int
    }

    /// The positions from the first row to the last; for an empty set, the empty range where its
    /// rows would be.
    public private(set) var bounds: Range<Int>
    private var gaps: [Gap] = []

    /// A set of neighbours.
    public init(_ rows: Range<Int>) {
        bounds = rows
    }

    /// A set of runs of neighbours, in ascending order.
    package init(_ runs: some Sequence<Range<Int>>) {
        self.init(0..<0)
        for run in runs { append(run) }
    }

    /// Adds neighbours after all rows of the set.
    mutating func append(_ rows: Range<Int>) {
        guard !rows.isEmpty else { return }
        guard !isEmpty else { return self = RowSet(rows) }
        if rows.lowerBound > bounds.upperBound {
            gaps.append(Gap(rows: bounds.upperBound..<rows.lowerBound, before: count))
        }
        bounds = bounds.lowerBound..<rows.upperBound
    }

    /// The runs of neighbours, in ascending order.
    public var runs: [Range<Int>] {
        guard !isEmpty else { return [] }
        let starts = [bounds.lowerBound] + gaps.map(\.rows.upperBound)
        return zip(starts, gaps.map(\.rows.lowerBound) + [bounds.upperBound]).map { $0..<$1 }
    }

    /// Returns whether a row belongs to the set.
    public func contains(_ row: Int) -> Bool {
        guard bounds.contains(row) else { return false }
        let gap = gaps.partitionPoint { $0.rows.lowerBound > row } - 1
        return gap < 0 || gaps[gap].rows.upperBound <= row
    }

    /// The position of the first row, or of where an empty set's rows would be.
    package var lowerBound: Int { bounds.lowerBound }

    /// The position after the last row.
    package var upperBound: Int { bounds.upperBound }

    /// Always zero.
    public var startIndex: Int { 0 }

    /// The number of rows.
    public var endIndex: Int {
        gaps.last.map { $0.before + upperBound - $0.rows.upperBound } ?? bounds.count
    }

    /// The position of the row at an index in the order of rows.
    public subscript(index: Int) -> Int {
        precondition(index >= 0 && index < endIndex, "a row of the set")
        let gap = gaps.partitionPoint { $0.before > index } - 1
        return gap < 0
            ? lowerBound + index : gaps[gap].rows.upperBound + index - gaps[gap].before
    }

    /// Returns whether a set consists of the rows of a range, without gaps.
    package static func == (set: RowSet, rows: Range<Int>) -> Bool { set == RowSet(rows) }
}
