package import IdleLoop
internal import ScrollModel

/// What a rule needs to remember of the frames and touches before: where the list was, which way it
/// went, when it last moved, and whether a finger holds it.
package struct FrameMemory {
    private var offset: Double?
    package private(set) var isMovingDown = true
    package private(set) var lastMoved: Instant?
    package private(set) var hasMoved = false
    package private(set) var isTouched = false

    /// Nothing has happened.
    package init() {}

    /// Takes in what has happened.
    package mutating func note(_ moment: ScrollMoment) {
        switch moment.event {
        case .down: isTouched = true
        case .up, .cancelled: isTouched = false
        case .frame: noteFrame(moment)
        default: break
        }
    }

    private mutating func noteFrame(_ moment: ScrollMoment) {
        let now = moment.viewport.offset
        defer { offset = now }
        hasMoved = offset.map { $0 != now } ?? false
        guard hasMoved, let before = offset else { return }
        isMovingDown = now > before
        lastMoved = moment.start
    }

    /// Whether the list has come to rest: this frame didn't move it, no finger holds it, and it
    /// hasn't moved for 100 ms.
    package func isSettled(at now: Instant) -> Bool {
        guard !hasMoved, !isTouched else { return false }
        return lastMoved.map { $0.duration(to: now) >= .milliseconds(100) } ?? true
    }
}

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
