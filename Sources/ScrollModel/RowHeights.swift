/// Rows with heights of their own, one below the other, and who lies where.
///
/// A scrolling list asks two questions at every frame: where is this row, and which row is here?
/// Summing the rows above answers both in O(n); a tree of sums answers them in O(log n).
///
///     var heights = try RowHeights([44, 120, 0, 44])
///     heights.offset(ofRow: 3)                        // 164
///     heights.row(at: 50)                             // 1
///     try heights.setHeight(80, ofRow: 1)
///     heights.visibleRows(offset: 50, height: 100)    // 1..<4
///
/// Heights are kept in steps of 1/1024 px, rounded to the nearest, halves up. So sums are sums of
/// whole numbers, exact in any order: after any edits, a list equals one built afresh.
public struct RowHeights: Sendable {
    /// The number of rows, those without height included.
    public let count: Int

    /// The height of each row, as long as all are equal and `sums` is missing.
    private let commonHeight: Int64
    private var sums: FenwickTree?
    private var total: Int64

    /// Rows with the given heights in px; O(n), and 8 bytes a row.
    ///
    /// - Throws: ``RowHeightsError``, for the first height that is not finite, negative, or makes
    ///   the content larger than ``maximumContentHeight``.
    public init(_ heights: some Sequence<Double>) throws(RowHeightsError) {
        var values: [Int64] = []
        values.reserveCapacity(heights.underestimatedCount)
        total = 0
        for height in heights {
            let value = try HeightSteps.round(height, row: values.count, others: total)
            total += value
            values.append(value)
        }
        count = values.count
        commonHeight = 0
        sums = FenwickTree(values)
    }

    /// Rows of one height in px; memory and every lookup are O(1) until a row is given another.
    ///
    /// - Precondition: `count` is not negative.
    /// - Throws: ``RowHeightsError``, when the height is not finite, negative, or makes the
    ///   content larger than ``maximumContentHeight``.
    public init(count: Int, height: Double) throws(RowHeightsError) {
        precondition(count >= 0, "a list has no fewer than zero rows")
        let value = try HeightSteps.round(height, row: 0, others: 0)
        let fitting = value == 0 ? .max : HeightSteps.maximumTotal / value
        guard count <= fitting else { throw .tooLarge(row: Int(fitting), height: height) }
        self.count = count
        commonHeight = value
        total = value * Int64(count)
    }

    /// The sum of all heights, in px.
    public var contentHeight: Double { HeightSteps.pixels(total) }

    /// The height of a row in px; O(log n).
    ///
    /// - Precondition: the list has this row.
    public subscript(row: Int) -> Double {
        requireRow(row)
        return HeightSteps.pixels(sums?[row] ?? commonHeight)
    }

    /// Gives one row another height, in px; O(log n), and O(n) the first time in a list whose
    /// rows were made equal.
    ///
    /// - Precondition: the list has this row.
    /// - Throws: ``RowHeightsError``, as the initializers do; the list then stays as it was.
    public mutating func setHeight(_ height: Double, ofRow row: Int) throws(RowHeightsError) {
        requireRow(row)
        let old = sums?[row] ?? commonHeight
        let new = try HeightSteps.round(height, row: row, others: total - old)
        guard new != old else { return }
        if sums == nil { sums = FenwickTree(Array(repeating: commonHeight, count: count)) }
        sums?.add(new - old, at: row)
        total += new - old
        checkInvariants()
    }

    /// Where a row begins, in px from the top; O(log n).
    ///
    /// - Precondition: the list has this row, or `row` is ``count``, whose offset is
    ///   ``contentHeight``.
    public func offset(ofRow row: Int) -> Double {
        precondition((0...count).contains(row), "a row's number is from 0 to the count of rows")
        return HeightSteps.pixels(sums?.sum(ofFirst: row) ?? commonHeight * Int64(row))
    }

    /// Where a row ends and the next begins, in px from the top; O(log n).
    ///
    /// - Precondition: the list has this row.
    public func end(ofRow row: Int) -> Double {
        requireRow(row)
        return offset(ofRow: row + 1)
    }
}

extension RowHeights {
    /// The first row whose end lies below `offset` (px from the top); O(log n).
    ///
    /// That is the row at this offset, where a row owns its top edge and not its bottom edge.
    /// Offsets above the content give the first row; past the end there is none.
    ///
    /// - Precondition: the offset is a number.
    public func row(at offset: Double) -> Int? {
        precondition(!offset.isNaN, "an offset is a number")
        return row(endingAfter: HeightSteps.atOrBefore(offset))
    }

    /// The rows seen through a window of the given height (px) at the given offset; O(log n).
    ///
    /// From the first row whose end lies below the offset to the first whose end is not above
    /// the window's bottom edge, or the last row. Rows without height may lie between, and never
    /// decide where the range begins. Empty if no row ends below the offset.
    ///
    /// - Precondition: the offset is a number; the height is finite and not negative.
    public func visibleRows(offset: Double, height: Double) -> Range<Int> {
        precondition(height >= 0 && height.isFinite, "a window's height is finite, zero or more")
        guard let first = row(at: offset) else { return count..<count }
        let bottom = HeightSteps.atOrAfter(offset + height)
        let last = row(endingAfter: bottom - 1) ?? count - 1
        return first..<max(first, last + 1)
    }

    /// The first row whose end, in steps, is greater than `limit`.
    private func row(endingAfter limit: Int64) -> Int? {
        guard count > 0, limit < total else { return nil }
        guard limit >= 0 else { return 0 }
        return sums?.count(whileSumAtMost: limit) ?? Int(limit / commonHeight)
    }
}

extension RowHeights: Equatable {
    /// Whether both have the same heights, however they were made; O(n).
    public static func == (one: RowHeights, other: RowHeights) -> Bool {
        guard one.count == other.count, one.total == other.total else { return false }
        if let sums = one.sums, let others = other.sums { return sums == others }
        return (0..<one.count).allSatisfy { one[$0] == other[$0] }
    }
}

extension RowHeights {
    /// The greatest ``contentHeight``: 2⁴³ px, up to which a `Double` tells all steps apart.
    public static let maximumContentHeight = HeightSteps.pixels(HeightSteps.maximumTotal)

    private func requireRow(_ row: Int) {
        precondition((0..<count).contains(row), "a row's number is below the count of rows")
    }

    private func checkInvariants() {
        assert((0...HeightSteps.maximumTotal).contains(total), "the content is within its limit")
        assert(sums.map { $0.sum(ofFirst: count) == total } ?? true, "the total is the sum")
    }
}
