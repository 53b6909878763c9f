internal import IdleLoop
package import ScrollModel

/// Numbers for the rows on screen, in the order in which they came into view.
///
/// What changes nothing costs nothing: the same array is given again.
package struct EntryNumbers {
    /// The rows, first come first, with their numbers for ranks.
    package private(set) var wanted: [Wanted<Int>] = []
    private var visible = 0..<0
    private var next = 0

    /// No row is on screen.
    package init() {}

    /// Numbers the rows that are new, those of one frame in the direction of travel, and forgets
    /// those that have left.
    package mutating func update(to rows: Range<Int>, isMovingDown: Bool) {
        guard rows != visible else { return }
        wanted.removeAll { !rows.contains($0.key) }
        for step in 0..<rows.count {
            let row = isMovingDown ? rows.lowerBound + step : rows.upperBound - 1 - step
            guard !visible.contains(row) else { continue }
            wanted.append(Wanted(row, urgency: .visible, rank: next))
            next += 1
        }
        visible = rows
    }

    /// Numbers the rows that are new on screen at a moment.
    package mutating func update(in moment: ScrollMoment) {
        update(to: moment.viewport.visibleRows, isMovingDown: moment.motion.isMovingDown)
    }

    /// Forgets all rows: each on screen counts as new the next time.
    package mutating func forgetAll() {
        (wanted, visible) = ([], 0..<0)
    }

    /// Whether a row is on screen.
    func contains(_ row: Int) -> Bool { visible.contains(row) }
}
