internal import IdleLoop
public import ScrollModel

/// The rows on screen in the order in which they came into view, for a rule that loads them so.
///
/// ```swift
/// var order = EntryOrder()
/// order.update(in: moment)
/// order.wanted  // the rows in view, in order of appearance
/// ```
///
/// O(rows in view) when they have changed, and O(1) else: the same array is given again.
public struct EntryOrder: Sendable {
    /// The rows, in order of appearance, with their numbers for ranks.
    public private(set) var wanted: [Wanted<Int>] = []
    private var visible = RowSet(0..<0)
    private var next = 0

    /// An order without rows.
    public init() {}

    /// Adds the rows that are new, those of one frame in the direction of travel, and removes those
    /// that have left.
    mutating func update(to rows: RowSet, isMovingDown: Bool) {
        guard rows != visible else { return }
        wanted.removeAll { !rows.contains($0.key) }
        for step in rows.indices {
            let row = rows[isMovingDown ? step : rows.count - 1 - step]
            guard !visible.contains(row) else { continue }
            wanted.append(Wanted(row, urgency: .visible, rank: next))
            next += 1
        }
        visible = rows
    }

    /// Adds the rows that are new on screen at a moment, and removes those that have left.
    public mutating func update(in moment: ScrollState) {
        update(to: moment.viewport.visibleRows, isMovingDown: moment.motion.isMovingDown)
    }

    /// Removes all rows: each on screen counts as new the next time.
    mutating func removeAll() {
        (wanted, visible) = ([], RowSet(0..<0))
    }

    func contains(_ row: Int) -> Bool { visible.contains(row) }
}
