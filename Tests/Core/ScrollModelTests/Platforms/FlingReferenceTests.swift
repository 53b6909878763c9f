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

    @Test(arguments: FlingModelName.allCases, [0.3, 0.8, 1, 1.25, 3])
    func `a harder brake never makes a fling longer`(name: FlingModelName, brake: Double) {
        for velocity in [600.0, -1_500, 6_000] {
            let usual = abs(fling(name.model(), velocity).target)
            let way = abs(fling(name.model(brake: brake), velocity).target)
            #expect(brake > 1 ? way <= usual : way >= usual)
        }
    }
}
