internal import IdleLoop
package import ScrollModel

/// Ranks for the rows on screen, in the order in which they came into view.
///
/// An update without changes costs nothing: the same array is returned.
package struct EntryNumbers {
    /// The rows on screen in the order of their appearance, with their numbers as ranks.
    package private(set) var wanted: [Wanted<Int>] = []
    private var visible = 0..<0
    private var next = 0

    /// An instance with no row on screen.
    package init() {}

    /// Numbers new rows, those of one frame in the direction of scrolling, and removes those that
    /// have left.
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

    /// Numbers the new rows on screen after an event.
    package mutating func update(in moment: ScrollMoment) {
        update(to: moment.viewport.visibleRows, isMovingDown: moment.motion.isMovingDown)
    }

    /// Removes all rows: each row on screen counts as new the next time.
    package mutating func forgetAll() {
        (wanted, visible) = ([], 0..<0)
    }

    /// Returns whether a row is on screen.
    func contains(_ row: Int) -> Bool { visible.contains(row) }
}
