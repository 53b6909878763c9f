internal import IdleLoop
package import ScrollModel

/// Numbers for the rows on screen, in the order in which they came into view.
package struct EntryNumbers {
    private var numbers: [Int: Int] = [:]
    private var next = 0

    /// No row is on screen.
    package init() {}

    /// Numbers the rows that are new, those of one frame in the direction of travel, and forgets
    /// those that have left.
    package mutating func update(to visible: Range<Int>, isMovingDown: Bool) {
        numbers = numbers.filter { visible.contains($0.key) }
        for step in 0..<visible.count {
            let row =
                isMovingDown
                ? visible.lowerBound + step : visible.upperBound - 1 - step
            guard numbers[row] == nil else { continue }
            numbers[row] = next
            next += 1
        }
    }

    /// Numbers the rows that are new on screen at a moment.
    package mutating func update(in moment: ScrollMoment) {
        update(to: moment.viewport.visibleRows, isMovingDown: moment.motion.isMovingDown)
    }

    /// The rows and their numbers, first come first.
    package var inOrder: [(row: Int, number: Int)] {
        numbers.sorted { $0.value < $1.value }.map { (row: $0.key, number: $0.value) }
    }

    /// Has every row that's on screen count as new the next time.
    package mutating func forgetAll() {
        numbers = [:]
    }

    /// Whether a row is on screen.
    func contains(_ row: Int) -> Bool { numbers[row] != nil }

    /// The rows, first come first.
    package var wanted: [Wanted<Int>] {
        inOrder.map { Wanted($0.row, urgency: .visible, rank: $0.number) }
    }
}
