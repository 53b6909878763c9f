import ScrollModel
import Testing

/// What lists do at their ends, beyond what their offset says.
struct FlingEdgeTests {
    private func fling(
        _ model: any FlingModel, _ velocity: Double, to bound: Double = 100
    ) -> Fling {
        model.fling(
            from: 0, velocity: velocity, bounds: min(0, bound)...max(0, bound),
            viewportHeight: 900)
    }

    private func farthest(_ fling: Fling) -> Double {
        let way = fling.settling - fling.duration
        return (0...2_000).map { fling.overscroll(at: fling.duration + way * $0 / 2_000) }
            .max { abs($0) < abs($1) } ?? 0
    }

    /// What Flutter shows on iOS.
    private static let flutter = ExponentialFling(
        keptPerSecond: 0.135, edge: .spring(.bouncing))

    private static let bouncing: [any FlingModel] = [
        AndroidSplineFling(edge: .brake(.android(limit: 120))), ExponentialFling.uiKit,
        flutter, GTKFling(), QtFling(),
    ]

    @Test(arguments: bouncing.indices, [3_000.0, -3_000])
    func `a list that bounces comes back, and its offset never leaves the content`(
        index: Int, velocity: Double
    ) {
        let bound = velocity < 0 ? -100.0 : 100
        let fling = fling(Self.bouncing[index], velocity, to: bound)
        #expect(fling.target == bound)
        #expect(fling.settling > fling.duration)
        #expect(fling.overscroll(at: fling.duration / 2) == 0)
        #expect(fling.overscroll(at: fling.duration) == 0)
        #expect(fling.overscroll(at: fling.settling) == 0)
        #expect(abs(fling.overscroll(at: fling.settling - .nanoseconds(1))) < 1.01)
        #expect(farthest(fling) * velocity > 0)
        #expect(fling.offset(at: (fling.duration + fling.settling) / 2) == bound)
        // It meets the end as fast as it goes on beyond.
        let step = Duration.microseconds(10)
        let speed = fling.overscroll(at: fling.duration + step) / (step / .seconds(1))
        #expect(abs(speed / fling.velocity(at: fling.duration - step) - 1) < 0.05)
    }

    @Test func `a list that stays within its content, or stops there, has no overscroll`() {
        for model in Self.bouncing {
            let free = fling(model, 300, to: 5_000)
            #expect(free.settling == free.duration)
            #expect(free.overscroll(at: free.duration) == 0)
        }
        for model in [ChromiumPhysicsFling(), ChromiumLegacyFling(), FlutterFling()]
            as [any FlingModel]
        {
            let stopped = fling(model, 3_000)
            #expect(stopped.target == 100)
            #expect(stopped.settling == stopped.duration)
        }
    }

    @Test(arguments: [1, -1] as [Double])
    func `GTK's overshoot is limited to 50 px at both ends alike`(sign: Double) {
        let gentle = fling(GTKFling(), sign * 1_000, to: sign * 100)
        // Critically damped, from 0: v/(e·10) px after a tenth of a second.
        let speed = abs(gentle.velocity(at: gentle.duration - .nanoseconds(1)))
        #expect(abs(abs(farthest(gentle)) - speed / 10 / 2.718281828) < 0.01)
        let hard = fling(GTKFling(), sign * 20_000, to: sign * 100)
        #expect(abs(farthest(hard) - sign * 50) < 0.2)
        #expect(hard.settling - hard.duration < .milliseconds(1_000))
    }

    @Test func `Flutter's cap of the velocity holds upwards, too`() {
        let down = fling(Self.flutter, 30_000)
        let up = fling(Self.flutter, -30_000, to: -100)
        let capped = fling(Self.flutter, 40_000)
        #expect(abs(farthest(down) + farthest(up)) < 1e-9)
        #expect(abs(farthest(down) - farthest(capped)) < 1e-9)
    }

    @Test func `Android brakes by 2000 px/s² unless its room is smaller, and falls back`() {
        func fling(_ velocity: Double, room: Double) -> Fling {
            self.fling(
                AndroidSplineFling(edge: .brake(.android(limit: room))), velocity, to: 10)
        }
        let wide = fling(600, room: 1_000)
        let speed = wide.velocity(at: wide.duration - .microseconds(1))
        let way = speed * speed / 4_000
        #expect(abs(farthest(wide) - way) < 0.01)
        let time = speed / 2_000 + (2 * way / 2_000).squareRoot()
        #expect(abs((wide.settling - wide.duration) / .seconds(1) - time) < 1e-3)
        #expect(abs(farthest(fling(6_000, room: 80)) - 80) < 0.01)
    }

    @Test func `Qt goes at most 150 px out, and a third of a second of its velocity`() {
        let fast = fling(QtFling(deceleration: 1_500, maximumVelocity: 9_000), 9_000)
        #expect(abs(farthest(fast) - 150) < 0.01)
        #expect(farthest(fling(QtFling(), 600, to: 10)) < 600 * 600 / 24_000)
    }

    /// The time to an end by the platform's own second table.
    ///
    /// (AOSP, android/widget/OverScroller.java.)
    @Test(arguments: [0.1, 0.3, 0.5, 0.8, 0.97])
    func `Android meets an end when its table of times says`(share: Double) {
        let free = fling(AndroidSplineFling(), 4_000, to: 1e6)
        let bound = (free.target * share).rounded()
        let cut = fling(AndroidSplineFling(), 4_000, to: bound)
        var times: [Double] = []
        var low = 0.0
        for step in 0..<100 {
            let alpha = Double(step) / 100
            var high = 1.0
            var y = (low + high) / 2
            for _ in 0..<60 {
                y = (low + high) / 2
                let position = 3 * y * (1 - y) * ((1 - y) * 0.5 + y) + y * y * y
                if abs(position - alpha) < 1e-5 { break }
                if position > alpha { high = y } else { low = y }
            }
            times.append(3 * y * (1 - y) * ((1 - y) * 0.175 + y * 0.35) + y * y * y)
        }
        times.append(1)
        let place = bound / free.target * 100
        let index = min(99, Int(place))
        let time = times[index] + (place - Double(index)) * (times[index + 1] - times[index])
        let seconds = cut.duration / .seconds(1)
        #expect(abs(seconds - time * (free.duration / .seconds(1))) < 0.006)
    }

    @Test func `a spring that swings settles all the same`() {
        let swinging = EdgeSpring(mass: 1, stiffness: 300, dampingRatio: 0.2, restDistance: 0.5)
        let fling = fling(
            ExponentialFling(keptPerSecond: 0.135, edge: .spring(swinging)), 3_000)
        #expect(farthest(fling) > 0)
        let way = fling.settling - fling.duration
        let least =
            (0...2_000).map { fling.overscroll(at: fling.duration + way * $0 / 2_000) }
            .min() ?? 0
        #expect(least < -10)
        #expect(fling.settling < .seconds(5))
    }
}
