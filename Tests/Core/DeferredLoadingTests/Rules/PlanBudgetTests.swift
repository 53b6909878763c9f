import DeferredLoading
import IdleLoop
import ScrollModel
import TestSupport
import Testing

/// What a plan of the rule `value` may cost at most, by what it asks about rows.
@Suite struct PlanBudgetTests {
    /// Rows weighed for the path, and guessed on either side.
    static let mostWanted = 1_000 + 2 * 500

    @Test(arguments: [1.0, 44, 3_000], [900.0, 100_000])
    func `a plan asks about so many rows at most, however tall the window`(
        rowHeight: Double, height: Double
    ) throws {
        var motion = Motion(
            Viewport(rows: try RowHeights(count: 1_000_000, height: rowHeight), height: height))
        var moves = RandomMoves(rowHeight: rowHeight)
        for _ in 0..<20 {
            motion.viewport.scroll(to: motion.viewport.offset + moves.next())
            let visible = motion.viewport.visibleRows.count
            motion.facts.asked = 0
            motion.facts.weighed = 0
            let wanted = motion.frame()
            #expect(wanted.count <= Self.mostWanted)
            // What's in view besides, and the rows of which the waste is counted.
            #expect(motion.facts.asked <= 2 * visible + 2 * 1_000 + 2 * 500)
            #expect(motion.facts.weighed <= 1_000 + 2 * 500)
        }
    }

    @Test func `all that a tall window shows is wanted in the end`() throws {
        var motion = Motion(
            Viewport(rows: try RowHeights(count: 1_000_000, height: 44), height: 100_000))
        for _ in 0..<20 {
            for wanted in motion.frame() where wanted.urgency == .visible {
                motion.facts.settled.insert(wanted.key)
            }
        }
        #expect(motion.facts.settled.isSuperset(of: motion.viewport.visibleRows))
    }

    @Test func `a frame in which time stands still is one of few that are remembered`() throws {
        var motion = Motion(
            Viewport(rows: try RowHeights(count: 100, height: 100), height: 1_000))
        for step in 0..<2_000 {
            motion.viewport.scroll(to: Double(step % 700))
            motion.frame(after: .zero)
        }
        motion.facts.asked = 0
        motion.frame()
        #expect(motion.facts.asked < 1_000)
    }
}

/// Ways that a list may be thrown: rests, steps and flings, of up to 10,000 rows a frame.
private struct RandomMoves {
    let rowHeight: Double
    private var random = SplitMix64(seed: 7)
    private var velocity = 0.0

    init(rowHeight: Double) {
        self.rowHeight = rowHeight
    }

    mutating func next() -> Double {
        let share = Double.random(in: -1...1, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: velocity = 0
        case 1, 2: velocity = 10_000 * rowHeight * share
        case 3: velocity = rowHeight * share
        default: velocity *= 0.9
        }
        return velocity
    }
}

/// A list moved frame by frame, and a count of what its rule asks.
private struct Motion {
    final class Facts: LoadStatus {
        var settled: Set<Int> = []
        var asked = 0
        var weighed = 0

        func progress(ofRow row: Int) -> LoadProgress {
            asked += 1
            return settled.contains(row) ? .settled : .none
        }
        func costHint(ofRow row: Int) -> Duration? {
            weighed += 1
            return .milliseconds(2)
        }
        let usualCost: Duration? = .milliseconds(2)
        let usualFetch: Duration? = nil
        let fetches = 0
    }

    var policy = ValueRule()
    var viewport: Viewport
    let facts = Facts()
    private var tracker: ScrollTracker
    private var now = Instant.zero

    init(_ viewport: Viewport) {
        self.viewport = viewport
        tracker = ScrollTracker(viewport)
    }

    @discardableResult
    mutating func frame(after time: Duration = .nanoseconds(16_666_667)) -> [Wanted<Int>] {
        now = now.advanced(by: time)
        let moment = tracker.note(.frame, at: now, offset: viewport.offset)
        return policy.wanted(after: moment, loads: facts) ?? []
    }
}
