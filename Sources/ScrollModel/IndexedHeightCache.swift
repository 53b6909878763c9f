/// Heights by a row's index, which follow all that happens to the list.
///
/// A height is asked for once and kept until it's invalidated; a stored zero is a height. What a
/// batch of updates does to the list is told with ``follow(_:)``: rows that move, also to another
/// section, take their heights along. Heights that come with a stable key need no following: see
/// `KeyedHeightCache`.
///
/// ```swift
/// var cache = IndexedHeightCache(rowCounts: [3, 200], width: 320)
/// let height = cache.height(of: RowIndex(section: 1, row: 7)) { measure($0) }
/// try cache.follow(updates)
/// queue.submit("heights") { slot in
///     cache.precompute(while: { !slot.isOver }) { measure($0) } ? .again : .done
/// }
/// ```
///
/// Each question and change is O(log n); memory is what the known heights take.
public struct IndexedHeightCache: Sendable, Equatable {
    private var sums: SectionedSums
    /// The list's width for which the heights are, in px; see ``setWidth(_:)``.
    public private(set) var width: Double
    /// Where ``precompute(while:measure:)`` goes on.
    private var cursor = 0

    /// No heights, of sections of so many rows, in a list of this width in px.
    ///
    /// O(number of sections).
    ///
    /// - Precondition: no number of rows is negative; the width is finite, zero or more.
    public init(rowCounts: some Sequence<Int>, width: Double) {
        Self.require(width: width)
        let counts = Array(rowCounts)
        ListLayout.require(rowCounts: counts)
        sums = Self.nothing(of: counts)
        self.width = width
    }

    private static func nothing(of rowCounts: [Int]) -> SectionedSums {
        SectionedSums(rowCounts: rowCounts, header: 0, row: 0, footer: 0, guessesEdges: false)
    }

    /// How many rows have no height yet.
    public var missingCount: Int { sums.guessCount }

    /// The height of a row in px, nil if it isn't known.
    ///
    /// - Precondition: the list has this row.
    public subscript(row: RowIndex) -> Double? {
        let place = place(of: row)
        return sums.isGuess(at: place) ? nil : HeightSteps.pixels(sums.values[place])
    }

    /// The height of a row in px, which is measured if it isn't known.
    ///
    /// It is kept in steps of 1/1024 px, and given as it is kept.
    ///
    /// - Precondition: the list has this row; what is measured is a height: finite, zero or more,
    ///   and no more than ``RowHeights/maximumContentHeight`` with all others.
    public mutating func height(
        of row: RowIndex, measure: (RowIndex) throws -> Double
    ) rethrows -> Double {
        if let height = self[row] { return height }
        let place = place(of: row)
        store(try measure(row), at: place, row)
        return HeightSteps.pixels(sums.values[place])
    }

    private mutating func store(_ height: Double, at place: Int, _ row: RowIndex) {
        guard
            let value = try? HeightSteps.round(height, row: row.row, others: sums.values.total)
        else { preconditionFailure("a height is finite, zero or more, and not beyond all bounds") }
        sums.set(value, isGuess: false, at: place)
    }

    /// Forgets the height of a row.
    ///
    /// - Precondition: the list has this row.
    public mutating func invalidate(_ row: RowIndex) {
        let place = place(of: row)
        sums.set(0, isGuess: true, at: place)
        cursor = min(cursor, place)
    }

    /// Forgets all heights; O(number of sections).
    public mutating func invalidateAll() {
        sums = Self.nothing(of: (0..<sums.sectionCount).map { sums.rowCount(inSection: $0) })
        cursor = 0
    }

    /// Says how wide the list is now, in px, and forgets all heights if that is another width.
    ///
    /// - Precondition: the width is finite, zero or more.
    public mutating func setWidth(_ width: Double) {
        Self.require(width: width)
        guard width != self.width else { return }
        self.width = width
        invalidateAll()
    }

    /// Has the heights go where a batch of updates takes their rows; O(k log n).
    ///
    /// - Throws: ``ListUpdateError`` if the batch can't be done; the heights are then as they were.
    public mutating func follow(_ updates: ListUpdates) throws(ListUpdateError) {
        let plan = try UpdatePlan(updates, of: sums)
        sums.apply(plan, alike: true) { element in
            if case .row = element { (0, true) } else { (0, false) }
        }
        cursor = 0
    }

    /// Measures rows whose heights aren't known, one after the other, for as long as there's time.
    ///
    /// It begins at the first and looks at one row at least; O(log n) for each.
    ///
    /// - Precondition: as for ``height(of:measure:)``.
    /// - Returns: whether some are left.
    public mutating func precompute(
        while hasTime: () -> Bool, measure: (RowIndex) throws -> Double
    ) rethrows -> Bool {
        repeat {
            guard let (row, place) = nextMissing() else { return false }
            store(try measure(row), at: place, row)
            cursor = place + 1
        } while hasTime()
        return nextMissing() != nil
    }

    /// The next row without a height.
    private func nextMissing() -> (RowIndex, place: Int)? {
        guard let place = sums.nextGuess(from: cursor), case .row(let row) = sums.element(at: place)
        else { return nil }
        return (row, place)
    }

    private func place(of row: RowIndex) -> Int {
        precondition(
            row.section >= 0 && row.section < sums.sectionCount,
            "a section's number is below the count of sections")
        precondition(
            row.row >= 0 && row.row < sums.rowCount(inSection: row.section),
            "a row's number is below the count of its section's rows")
        return sums.place(of: row)
    }

    private static func require(width: Double) {
        precondition(width.isFinite && width >= 0, "a list's width is finite, zero or more")
    }

    /// Checks that sums are sums; O(n), for tests.
    func checkInvariants() {
        sums.checkInvariants()
    }
}
