import ScrollModel
import Testing

/// Figures that the platforms' own sources and tests publish.
struct FlingReferenceTests {
    private func fling(_ model: any FlingModel, _ velocity: Double) -> Fling {
        model.fling(from: 0, velocity: velocity, bounds: -1e6...1e6, viewportHeight: 1_080)
    }

    /// At 5000 px/s in a window of 1080 px: 98, 923 and 2218 px between 0, 20, 250 ms and the end.
    ///
    /// Each to 1 px. (Chromium, ui/events/gestures/physics_based_fling_curve_unittest.cc.)
    @Test func `Chromium's physics moves as its own test says`() {
        let fling = fling(ChromiumPhysicsFling(), 5_000)
        #expect(fling.offset(at: .milliseconds(-20)) == 0)
        let early = fling.offset(at: .milliseconds(20))
        let late = fling.offset(at: .milliseconds(250))
        #expect(abs(early - 98) <= 1)
        #expect(abs(late - early - 923) <= 1)
        #expect(abs(fling.target - late - 2_218) <= 1)
    }

    /// The same times, and 96, 705 and 392 px.
    ///
    /// (Chromium, ui/events/gestures/fling_curve_unittest.cc.)
    @Test func `Chromium's older curve moves as its own test says`() {
        let fling = fling(ChromiumLegacyFling(), 5_000)
        let early = fling.offset(at: .milliseconds(20))
        let late = fling.offset(at: .milliseconds(250))
        #expect(abs(early - 96) <= 1)
        #expect(abs(late - early - 705) <= 1)
        #expect(abs(fling.target - late - 392) <= 1)
    }

    /// Places in px, and velocities in px per second.
    ///
    /// (Flutter, test/widgets/scroll_simulation_test.dart.)
    @Test(arguments: [
        (51.0, 2866.91537), (584, 2617.294734), (345, 1982.785934), (0, 1831.366634),
        (-156.2, 1541.57665), (4, 1139.250439), (4534, 1073.553798), (75, 614.2093),
        (5469, 182.114534),
    ])
    func `Flutter's simulation begins where and as fast as it is told`(
        position: Double, velocity: Double
    ) {
        let fling = FlutterFling().fling(
            from: position, velocity: velocity, bounds: -1e6...1e6, viewportHeight: 900)
        #expect(abs(fling.offset(at: .zero) - position) < 1e-10)
        #expect(abs(fling.velocity(at: .zero) - velocity) < 1e-9)
        #expect(fling.velocity(at: .seconds(10)) == 0)
    }

    @Test(arguments: [0, 40, 170, 400, 900, 1_400])
    func `a Flutter fling restarted anywhere takes the rest of its path`(ms: Int) {
        let whole = fling(FlutterFling(), -5_000)
        let pause = Duration.milliseconds(ms)
        let rest = FlutterFling().fling(
            from: whole.offset(at: pause), velocity: whole.velocity(at: pause),
            bounds: -1e6...1e6, viewportHeight: 900)
        #expect(abs(rest.target - whole.target) < 1e-5)
        // Times are cut to the nanosecond.
        #expect(abs((rest.duration + pause - whole.duration) / .seconds(1)) < 1e-6)
        let later = Duration.milliseconds(33)
        #expect(abs(rest.offset(at: later) - whole.offset(at: pause + later)) < 1e-4)
    }

    /// Speeds at which eight rows are travelled, in px per second, for rows of 44, 100, 300 px.
    @Test(arguments: [
        (FlingModelName.uiKit, [705.0, 1_603, 4_810]), (.android, [1_408, 2_259, 4_254]),
        (.qt, [1_028, 1_549, nil]), (.gtk, [1_408, 3_200, 9_600]),
    ])
    func `the speeds at which eight rows are travelled`(name: FlingModelName, speeds: [Double?]) {
        let model: any FlingModel = name == .gtk ? ExponentialFling.gtkLimit : name.model()
        for (speed, height) in zip(speeds, [44.0, 100, 300]) {
            guard let speed else { continue }
            let way = fling(model, speed).target
            #expect(abs(way - 8 * height) <= 3)
        }
        if name == .qt { #expect(fling(model, 90_000).target < 8 * 300) }
    }

    /// k = 0.135 a second. (Flutter, friction_simulation.)
    @Test func `Flutter's bouncing physics slows down as its formula says, and like UIKit's`() {
        let flutter = ExponentialFling(keptPerSecond: 0.135)
        let plain = fling(flutter, 3_000)
        #expect(abs(plain.target - 3_000 / 2.00248) < 0.1)
        #expect(abs(plain.velocity(at: .seconds(1)) - 405) < 1e-6)
        for velocity in [500.0, 2_000, 9_000] {
            let one = fling(FlingModelName.uiKit.model(), velocity).target
            #expect(abs(one / fling(flutter, velocity).target - 1) < 0.001)
        }
    }

    @Test(arguments: FlingModelName.allCases, [0.3, 0.8, 1, 1.25, 3])
    func `a harder brake never makes a fling longer`(name: FlingModelName, brake: Double) {
        for velocity in [600.0, -1_500, 6_000] {
            let usual = abs(fling(name.model(), velocity).target)
            let way = abs(fling(name.model(brake: brake), velocity).target)
            #expect(brake > 1 ? way <= usual : way >= usual)
        }
    }
}
