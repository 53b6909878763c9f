import ScrollModel
import TestSupport
import Testing

/// What holds of each way to measure a finger.
struct VelocityStrategyTests {
    private static let strategies: [VelocityTracker.Strategy] = [
        .line, .parabola, .impulse, .iOS, .macOS, .span, .qt,
    ]

    private func tracker(
        _ strategy: VelocityTracker.Strategy, limits: ClosedRange<Double> = 0...Double.infinity
    ) -> VelocityTracker {
        VelocityTracker(configuration: .init(strategy: strategy, limits: limits))
    }

    private func velocity(
        _ strategy: VelocityTracker.Strategy, of points: [(ms: Double, y: Double)]
    ) -> Double {
        var tracker = tracker(strategy)
        for point in points { tracker.add(point.y, at: .milliseconds(point.ms)) }
        return tracker.velocity(at: .milliseconds(points[points.count - 1].ms))
    }

    @Test(arguments: strategies)
    func `a steady finger is measured alike`(strategy: VelocityTracker.Strategy) {
        let points = (0..<12).map { (ms: Double($0) * 8, y: 760 - 24 * Double($0)) }
        #expect(abs(velocity(strategy, of: points) + 3_000) < 1e-6)
        #expect(abs(velocity(strategy, of: Array(points.prefix(2))) + 3_000) < 1e-6)
        #expect(velocity(strategy, of: Array(points.prefix(1))) == 0)
    }

    @Test(arguments: strategies)
    func `the lift, which repeats the last position, doesn't halve the velocity`(
        strategy: VelocityTracker.Strategy
    ) {
        var points = (0..<12).map { (ms: Double($0) * 8, y: 760 - 24 * Double($0)) }
        points.append((ms: 100, y: points[11].y))
        #expect(abs(velocity(strategy, of: points) + 3_000) < 1e-6)
    }

    @Test(arguments: strategies)
    func `a pause of more than 40 ms forgets`(strategy: VelocityTracker.Strategy) {
        var points = (0..<12).map { (ms: Double($0) * 8, y: -72 * Double($0)) }
        points += [(ms: 129, y: 0), (ms: 137, y: 8)]
        #expect(abs(velocity(strategy, of: points) - 1_000) < 1e-6)
        var tracker = tracker(strategy)
        for point in points.prefix(12) { tracker.add(point.y, at: .milliseconds(point.ms)) }
        #expect(tracker.velocity(at: .milliseconds(128.0)) != 0)
        #expect(tracker.velocity(at: .milliseconds(129.0)) == 0)
    }

    @Test(arguments: strategies)
    func `each platform's limits hold in both directions`(strategy: VelocityTracker.Strategy) {
        var tracker = tracker(strategy, limits: 50...8_000)
        for index in 0..<5 { tracker.add(Double(index) * -100, at: .milliseconds(8 * index)) }
        #expect(tracker.velocity(at: .milliseconds(32)) == -8_000)
        tracker.reset()
        for index in 0..<5 { tracker.add(Double(index) * 0.39, at: .milliseconds(8 * index)) }
        #expect(tracker.velocity(at: .milliseconds(32)) == 0)
    }

    @Test func `weights count from the oldest of three moves`() {
        let points = [(0, 0), (10, 100), (20, 110), (30, 130), (40, 160)]
            .map { (ms: Double($0.0), y: Double($0.1)) }
        let moves = [1_000.0, 2_000, 3_000]
        #expect(abs(velocity(.iOS, of: points) - (0.6 * moves[0] + 0.35 * moves[1] + 150)) < 1e-6)
        #expect(abs(velocity(.macOS, of: points) - (150 + 0.65 * moves[1] + 600)) < 1e-6)
        #expect(abs(velocity(.qt, of: points) - 2_000) < 1e-6)
        #expect(abs(velocity(.span, of: points) - 4_000) < 1e-6)
        #expect(velocity(.line, of: points) > 3_000)
    }

    @Test func `GTK's looks at 150 ms, and at nothing older`() {
        var tracker = VelocityTracker(configuration: .gtk)
        for ms in stride(from: 0, through: 300, by: 10) {
            tracker.add(ms <= 150 ? 0 : Double(ms - 150), at: .milliseconds(ms))
        }
        #expect(abs(tracker.velocity(at: .milliseconds(300)) - 1_000) < 1e-6)
    }

    /// A finger that moves up and slows down before the lift: 8 ms and px.
    private static let slowing = [700, 640, 580, 520, 470, 440, 430, 427, 425, 423, 422, 421]

    private func lift(
        after rest: Int, of positions: [Int], by configuration: VelocityTracker.Configuration
    ) -> Double {
        var tracker = VelocityTracker(configuration: configuration)
        for (index, y) in positions.enumerated() {
            tracker.add(Double(y), at: .milliseconds(8 * index))
        }
        return tracker.velocity(at: .milliseconds(8 * (positions.count - 1) + rest))
    }

    @Test func `on a desktop's Chromium, a finger that slows down has no velocity against its way`()
    {
        #expect(lift(after: 8, of: Self.slowing, by: .android) > 1_000, "a parabola turns back")
        #expect(lift(after: 8, of: Self.slowing, by: .chromium) == 0)
        #expect(lift(after: 8, of: Self.slowing.map { -$0 }, by: .chromium) == 0)
        let steady = (0..<12).map { 700 - 24 * $0 }
        #expect(abs(lift(after: 8, of: steady, by: .chromium) + 3_000) < 1e-6)
    }

    @Test(arguments: [
        (VelocityTracker.Configuration.android, 40), (.flutter, 40), (.iOS, 40), (.chromium, 79),
        (.qt, 50), (.gtk, 150),
    ])
    func `each platform has a longest rest before a lift that flings`(
        configuration: VelocityTracker.Configuration, longest: Int
    ) {
        let steady = (0..<12).map { 700 - 24 * $0 }
        #expect(lift(after: longest, of: steady, by: configuration) < -2_000)
        #expect(lift(after: longest + 1, of: steady, by: configuration) == 0)
    }

    @Test func `between two moves, Chromium's longest rest is that of Android`() {
        for (pause, isStop) in [(40, false), (41, true)] {
            var tracker = VelocityTracker(configuration: .chromium)
            for index in 0..<6 { tracker.add(-72 * Double(index), at: .milliseconds(8 * index)) }
            let time = Instant.milliseconds(40 + pause)
            tracker.add(-361, at: time)
            tracker.add(-369, at: time + .milliseconds(8))
            let velocity = tracker.velocity(at: time + .milliseconds(8))
            #expect((abs(velocity + 1_000) < 1e-6) == isStop)
        }
    }

    @Test func `Flutter takes three samples, others two`() {
        #expect(lift(after: 8, of: [700, 676], by: .flutter) == 0)
        #expect(lift(after: 8, of: [700, 676, 652], by: .flutter) != 0)
        #expect(lift(after: 8, of: [700, 676], by: .android) != 0)
    }

    @Test func `another estimator can be asked of the same samples`() {
        var tracker = VelocityTracker()
        for ms in stride(from: 0, through: 96, by: 8) {
            tracker.add(0.02 * Double(ms * ms), at: .milliseconds(ms))
        }
        let now = Instant.milliseconds(96)
        #expect(abs(tracker.velocity(at: now) - 3_840) < 1e-6)
        #expect(abs(tracker.velocity(at: now, by: .init(strategy: .line)) - 1_920) < 1e-6)
        #expect(abs(tracker.velocity(at: now, by: .iOS) - 3_184) < 1)
        // Each by its own gaps.
        tracker.add(200, at: .milliseconds(156))
        tracker.add(201, at: .milliseconds(164))
        #expect(abs(tracker.velocity(at: .milliseconds(164)) - 125) < 1e-6)
        #expect(tracker.velocity(at: .milliseconds(164), by: .gtk) > 1_000)
    }

    /// Flings recorded on phones, with the velocities that their own platform's test expects, to
    /// 20 %: ms and px. (AOSP, libs/input/tests/VelocityTracker_test.cpp: SwordfishFlingDown in y,
    /// SailfishFlingUpSlow1 in y, SailfishFlingUpFast1 in y, ThreePointsPositiveVelocityTest.)
    private static let recordings:
        [(points: [(ms: Double, y: Double)], impulse: Double, parabola: Double?)] = [
            (
                [
                    (0, 96), (16.071, 106.922775), (35.648, 156.660034), (52.314, 220.339081),
                    (68.977, 331.581116), (85.639, 428.113159), (96.949, 428.113159),
                ], 5_970.7309, nil
            ),
            (
                [
                    (0, 983), (17.227, 981), (25.892, 977), (28.221, 975.93), (34.402, 970),
                    (42.921, 960), (45.04, 957.51), (51.303, 946), (59.229, 931),
                    (61.86, 926.02), (67.742, 914), (76.84, 896), (78.679, 892.36),
                    (85.466, 877), (93.327, 851), (95.499, 843.82),
                ], -3_604.819336, -3_044.966064
            ),
            (
                [
                    (0, 1_412), (8.036, 1_377), (8.113, 1_376.66), (16.398, 1_371),
                    (24.948, 1_342.68), (25.153, 1_342), (33.353, 1_272), (41.782, 1_190.54),
                    (41.838, 1_190), (50.381, 1_093), (58.617, 994.68), (58.757, 993),
                    (67.112, 903),
                ], -13_021.101562, -15_093.995117
            ),
            ([(0, 273), (12.585, 293), (14.73, 293)], 1_600, nil),
        ]

    @Test(arguments: recordings.indices)
    func `recorded flings are as fast as their platform says`(index: Int) {
        let (points, impulse, parabola) = Self.recordings[index]
        #expect(abs(velocity(.impulse, of: points) / impulse - 1) < 0.2)
        if let parabola {
            #expect(abs(velocity(.parabola, of: points) / parabola - 1) < 0.2)
        }
        // A fling whose end seems to turn back must not lead in the wrong direction.
        #expect(velocity(.parabola, of: points) * impulse > 0)
    }
}
