import ScrollModel
import TestSupport
import Testing

struct FlingLearnerTests {
    /// A fling that this scroller would make of a finger with so many px per second.
    private func fling(
        _ scroller: Scroller, _ velocity: Double, stoppedAt share: Double = 1
    ) -> ObservedFling {
        let tracker = finger(velocity)
        let path = path(scroller, velocity)
        let end = path.duration * share
        let offsets = (1...60).map { index in
            (time: end * index / 60, offset: path.offset(at: end * index / 60).rounded())
        }
        return ObservedFling(
            velocities: FlingLearner.estimators.map { -tracker.velocity(at: lift, by: $0) },
            start: 9_000, offsets: offsets, viewportHeight: 900)
    }

    private let lift = Instant.milliseconds(96)

    /// A finger that becomes faster and faster, so that estimators differ.
    private func finger(_ velocity: Double) -> VelocityTracker {
        var tracker = VelocityTracker()
        for index in 0...12 {
            let time = Double(index) * 0.008
            let way = -velocity * (0.5 * time + 0.5 * time * time / 0.192)
            tracker.add(way, at: .milliseconds(8 * index))
        }
        return tracker
    }

    /// Where this scroller takes the list after that finger.
    private func path(_ scroller: Scroller, _ velocity: Double) -> Fling {
        scroller.model.fling(
            from: 9_000, velocity: -finger(velocity).velocity(at: lift, by: scroller.tracking),
            bounds: -1e6...1e6, viewportHeight: 900)
    }

    @Test func `until three flings it keeps to its guess`() {
        var learner = FlingLearner(guess: Scroller(.gtk))
        for velocity in [900.0, -2_500] {
            learner.learn(fling(Scroller(.android), velocity))
            #expect(learner.scroller.name == .gtk)
            #expect(!learner.hasChosen)
        }
        learner.learn(fling(Scroller(.android), 1_700))
        #expect(learner.hasChosen)
        #expect(learner.scroller.name == .android)
    }

    @Test(arguments: FlingModelName.allCases)
    func `three flings tell whose curve it is`(name: FlingModelName) {
        var learner = FlingLearner()
        for velocity in [900.0, -2_000, 4_400] { learner.learn(fling(Scroller(name), velocity)) }
        #expect(learner.scroller.name == name)
        #expect(learner.scroller.tracking.strategy == name.tracking.strategy)
        #expect(learner.scroller.brake == 1)
    }

    @Test(arguments: [VelocityTracker.Strategy.impulse, .line, .macOS])
    func `they tell how fingers are measured, too`(strategy: VelocityTracker.Strategy) {
        var learner = FlingLearner()
        let scroller = Scroller(.android, tracking: .init(strategy: strategy))
        for velocity in [900.0, -2_000, 4_400] { learner.learn(fling(scroller, velocity)) }
        #expect(learner.scroller.name == .android)
        #expect(learner.scroller.tracking.strategy == strategy)
    }

    @Test(arguments: [
        (FlingModelName.android, 0.5), (.flutter, 1.4), (.qt, 2), (.gtk, 0.6), (.uiKit, 1.5),
        (.chromium, 1.3),
    ])
    func `a host that changed the brake is found out`(name: FlingModelName, brake: Double) {
        var learner = FlingLearner()
        let scroller = Scroller(name, brake: brake)
        for velocity in [900.0, -1_300, 1_700, 2_200, -1_900] {
            learner.learn(fling(scroller, velocity))
        }
        for velocity in [1_000.0, 1_500, 2_400] {
            let way = path(scroller, velocity).target - 9_000
            let learned = path(learner.scroller, velocity).target - 9_000
            #expect(abs(learned / way - 1) < 0.06)
        }
    }

    @Test func `flings that something stopped spoil nothing`() {
        var learner = FlingLearner()
        for index in 0..<12 {
            let velocity = [900.0, -2_000, 4_400, 1_500][index % 4]
            let share = index % 3 == 1 ? 0.2 : 1
            learner.learn(fling(Scroller(.flutter), velocity, stoppedAt: share))
        }
        #expect(learner.scroller.name == .flutter)
    }

    @Test func `what it learned long ago is forgotten`() {
        var learner = FlingLearner()
        let velocities = [900.0, -2_000, 4_400, 1_500]
        for index in 0..<20 { learner.learn(fling(Scroller(.qt), velocities[index % 4])) }
        #expect(learner.scroller.name == .qt)
        for index in 0..<16 { learner.learn(fling(Scroller(.uiKit), velocities[index % 4])) }
        #expect(learner.scroller.name == .uiKit)
        #expect(learner.count == 36)
    }

    @Test func `a fling of a few pixels teaches nothing`() {
        var learner = FlingLearner()
        learner.learn(fling(Scroller(.chromium), 60))
        #expect(learner.count == 0)
    }
}
