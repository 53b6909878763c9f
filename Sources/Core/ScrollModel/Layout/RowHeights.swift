internal import LullLibC

/// The heights of rows, one below the other, from which a ``Viewport`` or a section of a
/// ``ListLayout`` is made.
///
/// ```swift
/// let heights = try RowHeights([44, 120, 0, 44])
/// let list = Viewport(rows: heights, height: 100).list
/// list.extent(of: .row(RowIndex(section: 0, row: 3))).offset  // 164
/// list.position(at: 50)                                       // 1
/// ```
///
/// Heights are stored in steps of 1/1024 px, rounded to the nearest, halves up. So sums are
/// integers, exact in any order: after any edits, a list equals one that is newly built. A tree of
/// sums finds the offset of a row, and the row at an offset, in O(log n).
public struct RowHeights: Sendable {
    /// The heights in steps.
    private(set) var sums: SumTree
    /// The height of all rows, of which there may be none yet, in px; nil if it isn't known.
    private let given: Double?

    /// Rows with the given heights in px.
    ///
    /// O(n), and 9 bytes a row; equal neighbours share theirs.
    ///
    /// - Throws: ``RowHeightsError``, for the first height that is not finite, is negative, or
    ///   makes the content larger than 2⁴³ px.
    public init(_ heights: some Sequence<Double>) throws(RowHeightsError) {
        sums = try HeightSteps.tree(heights)
        given = nil
    }

    /// Rows of one height in px; memory and every lookup are O(1) until a row gets another height.
    ///
    /// - Throws: ``RowHeightsError`` if the height is not finite, is negative, or makes the content
    ///   larger than 2⁴³ px, and if `count` is negative or more than 2⁴⁰.
    public init(count: Int, height: Double) throws(RowHeightsError) {
        let value = try HeightSteps.round(height, row: 0, count: count, others: 0)
        sums = SumTree(repeating: value, count: count)
        given = height
    }

    /// An empty list.
    package init() {
        sums = SumTree()
        given = nil
    }

    /// The mean height of the rows, in px, which is that of each if all are equal; nil if there are
    /// none, and none is known.
    var mean: Double? { count > 0 ? contentHeight / Double(count) : given }

    /// The number of rows, including those of zero height.
    package var count: Int { sums.count }

    /// The sum of all heights, in px.
    package var contentHeight: Double { HeightSteps.pixels(sums.total) }

    /// The height of a row in px; O(log n).
    ///
    /// - Precondition: the list has this row.
    package subscript(row: Int) -> Double {
        requireRow(row)
        return HeightSteps.pixels(sums[row])
    }

    /// Sets the height of a row, in px; O(log n).
    ///
    /// - Precondition: the list has this row.
    /// - Throws: ``RowHeightsError``, as the initializers do; the list is then unchanged.
    package mutating func setHeight(_ height: Double, ofRow row: Int) throws(RowHeightsError) {
        requireRow(row)
        let (value, before) = (try HeightSteps.round(height, row: row, others: 0), sums.total)
        // Set first and, if it doesn't fit, reverted: so the row is looked up only once.
        sums.set(value, at: row)
        guard sums.total > HeightSteps.maximumTotal else { return }
        sums.set(value - (sums.total - before), at: row)
        throw .tooLarge(row: row, height: height)
    }

    /// Inserts one or more rows of a height before the row that is at `row` now; O(log n).
    ///
    /// - Precondition: the list has this row, or `row` is ``count``.
    /// - Throws: ``RowHeightsError``, as the initializers do; the list is then unchanged.
    package mutating func insert(
        height: Double, count rows: Int = 1, at row: Int
    ) throws(RowHeightsError) {
        requireEdge(row)
        let value = try HeightSteps.round(
            height, row: row, count: rows, others: sums.total,
            most: HeightSteps.maximumCount - count
        )
        sums.insert(value, count: rows, at: row)
    }

    /// Removes rows; O(log n), and the cost of freeing them.
    ///
    /// - Precondition: the list has these rows.
    package mutating func remove(_ rows: Range<Int>) {
        precondition(
            rows.lowerBound >= 0 && rows.upperBound <= count, "only rows that are there can go")
        sums.remove(rows)
    }

    /// Returns the offset of a row's top edge, in px from the top; O(log n).
    ///
    /// - Precondition: the list has this row, or `row` is ``count``, whose offset is
    ///   ``contentHeight``.
    package func offset(ofRow row: Int) -> Double {
        requireEdge(row)
        return HeightSteps.pixels(sums.sum(ofFirst: row))
    }

    /// Returns the first row that ends below `offset` (px from the top); O(log n).
    ///
    /// This is the row at the offset: a row includes its top edge, but not its bottom edge. Rows of
    /// zero height are at no offset. Above the content, the result is the first row with a height;
    /// beyond the end, nil.
    package func row(at offset: Double) -> Int? {
        let limit = max(HeightSteps.atOrBefore(offset), 0)
        return limit < sums.total ? sums.count(whileSumAtMost: limit) : nil
    }

    /// The maximum ``contentHeight``: 2⁴³ px, up to which a `Double` represents all steps exactly.
    package static let maximumContentHeight = HeightSteps.pixels(HeightSteps.maximumTotal)

    private func requireRow(_ row: Int) {
        precondition(row >= 0 && row < count, "a row's number is below the count of rows")
    }

    @inline(__always)
    private func requireEdge(_ row: Int) {
        precondition(row >= 0 && row <= count, "a row's number is from 0 to the count of rows")
    }

    /// Checks that the sums are consistent.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        sums.checkInvariants()
        precondition(
            (0...HeightSteps.maximumTotal).contains(sums.total), "the content is within its limit")
    }
}
