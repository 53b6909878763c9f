import ScrollModel
import TestSupport
import Testing

struct VelocityTrackerTests {
    /// A finger that samples `position(ms)` every 8 ms.
    private func tracker(
        until end: Int = 96, of position: (Double) -> Double
    ) -> VelocityTracker {
        var tracker = VelocityTracker()
        for ms in stride(from: 0, through: end, by: 8) {
            tracker.add(position(Double(ms)), at: .milliseconds(ms))
        }
        return tracker
    }

    @Test func `a finger that speeds up has the velocity of its last moment`() {
        let tracker = tracker { 0.02 * $0 * $0 }
        #expect(abs(tracker.velocity(at: .milliseconds(96)) - 2 * 0.02 * 96 * 1_000) < 1e-6)
    }

    @Test func `only the last 100 ms count`() {
        let tracker = tracker(until: 400) { $0 < 296 ? -5 * $0 : -5 * 296 + 2 * ($0 - 296) }
        #expect(abs(tracker.velocity(at: .milliseconds(400)) - 2_000) < 1e-6)
    }

    @Test func `at most twenty samples count`() {
        var tracker = VelocityTracker()
        for ms in 0..<60 {
            tracker.add(ms < 40 ? 0 : Double(ms - 40), at: .milliseconds(ms))
        }
        #expect(abs(tracker.velocity(at: .milliseconds(59)) - 1_000) < 1e-6)
    }

    @Test func `a finger that rests before the lift has no velocity`() {
        var tracker = tracker { -9 * $0 }
        #expect(tracker.velocity(at: .milliseconds(136)) != 0)
        #expect(tracker.velocity(at: .milliseconds(137)) == 0)
        for ms in stride(from: 104, through: 144, by: 8) {
            tracker.add(-9 * 96, at: .milliseconds(ms))
        }
        #expect(tracker.velocity(at: .milliseconds(144)) == 0, "still samples are no movement")
    }

    @Test func `times that stand still or run backwards are ignored`() {
        var tracker = tracker { 2 * $0 }
        tracker.add(-1_000, at: .milliseconds(96))
        tracker.add(-1_000, at: .milliseconds(50))
        #expect(abs(tracker.velocity(at: .milliseconds(96)) - 2_000) < 1e-6)
    }

    @Test func `after a reset nothing is known`() {
        var tracker = tracker { 2 * $0 }
        tracker.reset()
        #expect(tracker.velocity(at: .milliseconds(96)) == 0)
    }
}
