internal import LullLibC

/// A set of rows by their positions, in ascending order: the rows in view, without those between
/// them that have no pixels.
///
/// ```swift
/// for row in viewport.visibleRows { … }
/// viewport.visibleRows.bounds  // from the first to the last, and what lies between them
/// ```
///
/// Neighbours are stored as a range, so that most sets allocate and retain nothing, and their
/// questions are O(1); in a set with gaps they are O(log gaps).
public struct RowSet: RandomAccessCollection, Hashable, Sendable {
    /// Rows between two of the set that don't belong to it.
    @usableFromInline
    struct Gap: Hashable, Sendable {
        let rows: Range<Int>
        /// The number of rows in the gaps up to this one.
        let missing: Int
    }

    /// The positions from the first row to the last; for an empty set, the empty range where its
    /// rows would be.
    public private(set) var bounds: Range<Int>
    /// The gaps in ascending order; nil if there are none.
    @usableFromInline private(set) var gaps: [Gap]?

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
            let gap = bounds.upperBound..<rows.lowerBound
            let missing = bounds.count - count + gap.count
            gaps = gaps ?? []
            gaps?.append(Gap(rows: gap, missing: missing))
        }
        bounds = bounds.lowerBound..<rows.upperBound
    }

    /// Adds neighbours before all rows of the set; O(gaps) unless these are neighbours too.
    mutating func prepend(_ rows: Range<Int>) {
        guard !rows.isEmpty else { return }
        guard gaps == nil, rows.upperBound == bounds.lowerBound else {
            return self = RowSet([rows] + runs)
        }
        bounds = rows.lowerBound..<bounds.upperBound
    }

    /// The runs of neighbours, in ascending order.
    public var runs: [Range<Int>] {
        guard !isEmpty else { return [] }
        let gaps = gaps ?? []
        let starts = [bounds.lowerBound] + gaps.map(\.rows.upperBound)
        return zip(starts, gaps.map(\.rows.lowerBound) + [bounds.upperBound]).map { $0..<$1 }
    }

    /// Returns whether a row belongs to the set.
    @inlinable
    public func contains(_ row: Int) -> Bool {
        bounds.contains(row) && (gaps == nil || !isInGap(row))
    }

    @usableFromInline
    func isInGap(_ row: Int) -> Bool {
        guard let gaps else { return false }
        let gap = gaps.partitionPoint { $0.rows.lowerBound > row } - 1
        return gap >= 0 && row < gaps[gap].rows.upperBound
    }

    /// The position of the first row, or of where an empty set's rows would be.
    @inlinable package var lowerBound: Int { bounds.lowerBound }

    /// The position after the last row.
    @inlinable package var upperBound: Int { bounds.upperBound }

    /// Always zero.
    @inlinable public var startIndex: Int { 0 }

    /// The number of rows.
    @inlinable public var endIndex: Int { gaps == nil ? bounds.count : countWithGaps }

    /// The position of the row at an index in the order of rows.
    @inlinable
    public subscript(index: Int) -> Int {
        let row = bounds.lowerBound + index
        return gaps == nil && index >= 0 && row < bounds.upperBound ? row : self.row(at: index)
    }

    @usableFromInline var countWithGaps: Int { bounds.count - (gaps?.last?.missing ?? 0) }

    /// Returns the position of the row at any index.
    @usableFromInline
    func row(at index: Int) -> Int {
        precondition(index >= 0 && index < endIndex, "a row of the set")
        let gaps = gaps ?? []
        let gap = gaps.partitionPoint { $0.rows.upperBound - lowerBound - $0.missing > index } - 1
        return lowerBound + index + (gap < 0 ? 0 : gaps[gap].missing)
    }

    /// Returns whether a set consists of the rows of a range, without gaps.
    package static func == (set: RowSet, rows: Range<Int>) -> Bool { set == RowSet(rows) }
}
