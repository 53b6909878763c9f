import Glibc
import ScrollModel
import Testing

extension ExponentialFling {
    /// How far GTK's flings would go if ticks didn't end them: a quarter px for each px/s.
    static let gtkLimit = ExponentialFling(keptPerSecond: exp(-4))
}

/// What holds of single models: their published figures and their laws.
struct FlingModelTests {
    /// px and seconds for releases at 500, 1000, 2000, 4000 and 8000 px/s, as they were computed
    /// from the platforms' sources; Chromium with a viewport of 1080 px.
    private static let figures: [(model: FlingModelName, ways: [Double], times: [Double])] = [
        (.android, [58, 194, 647, 2157, 7186], [0.33, 0.56, 0.92, 1.54, 2.57]),
        (.flutter, [58, 194, 647, 2157, 7186], [0.28, 0.46, 0.76, 1.27, 2.12]),
        (.chromiumLegacy, [72, 181, 423, 933, 1983], [0.37, 0.52, 0.69, 0.86, 1.04]),
        (.chromium, [47, 189, 756, 3024, 3240], [0.22, 0.43, 0.87, 1.74, 2]),
        (.qt, [83, 333, 1333, 2083, 2083], [0.33, 0.67, 1.33, 1.67, 1.67]),
    ]

    private let speeds: [Double] = [500, 1_000, 2_000, 4_000, 8_000]

    private func fling(_ model: any FlingModel, _ velocity: Double) -> Fling {
        model.fling(from: 0, velocity: velocity, bounds: -1e6...1e6, viewportHeight: 1_080)
    }

    @Test(arguments: figures.indices)
    func `flings go as far and as long as their platform's`(index: Int) {
        let figures = Self.figures[index]
        for (speed, (way, time)) in zip(speeds, zip(figures.ways, figures.times)) {
            let fling = fling(figures.model.model(), speed)
            #expect(abs(fling.target - way) <= 1)
            #expect(abs(fling.duration / .seconds(1) - time) <= 0.0051)
        }
    }

    @Test func `exponential flings go a fixed share of their velocity`() {
        for speed in speeds {
            // UIKit's own projection is a sum over milliseconds, a per mille or a half less.
            let normal = fling(FlingModelName.uiKit.model(), speed).target
            let fast = fling(FlingModelName.uiKitFast.model(), speed).target
            #expect(abs(normal / (0.499 * speed) - 1) < 0.0011)
            #expect(abs(fast / (0.099 * speed) - 1) < 0.0051)
            #expect(abs(fling(ExponentialFling.gtkLimit, speed).target - speed / 4) < 1e-9)
        }
    }

    @Test func `an exponential fling ends when it is slower than its limit`() {
        let fling = fling(ExponentialFling(keptPerSecond: 0.1), 100)
        #expect(fling.duration == .seconds(2))
        let last = fling.velocity(at: fling.duration - .nanoseconds(1))
        #expect(abs(last - 1) < 1e-6)
    }

    @Test func `Android and Flutter limit velocities, and Android goes by whole pixels`() {
        for model in [AndroidSplineFling(), FlutterFling()] as [any FlingModel] {
            #expect(fling(model, 20_000).target == fling(model, 8_000).target)
        }
        for speed in speeds {
            let way = fling(AndroidSplineFling(), speed).target
            #expect(way == way.rounded())
        }
    }

    @Test func `an older Chromium fling is the end of every faster one`() {
        let fast = fling(ChromiumLegacyFling(), 12_000)
        let slow = fling(ChromiumLegacyFling(), 3_000)
        let lead = fast.duration - slow.duration
        #expect(abs(fast.velocity(at: lead) - 3_000) < 1e-3)
        for ms in stride(from: 0, to: 900, by: 100) {
            let time = Duration.milliseconds(ms)
            let left = fast.target - fast.offset(at: lead + time)
            #expect(abs(left - (slow.target - slow.offset(at: time))) < 1e-4)
        }
    }

    @Test func `an older Chromium fling scales up beyond its curve`() {
        let top = fling(ChromiumLegacyFling(), 20_946.194)
        let twice = fling(ChromiumLegacyFling(), 2 * 20_946.194)
        #expect(abs(twice.target - 2 * top.target) < 1e-6)
        #expect(abs(top.duration / .seconds(1) - 1.3001) < 1e-4)
        #expect(twice.duration == top.duration)
    }

    @Test func `Chromium goes three viewports at most`() {
        let fling = ChromiumPhysicsFling().fling(
            from: 0, velocity: -50_000, bounds: -1e6...1e6, viewportHeight: 900.5)
        #expect(fling.target == -2_701)
        #expect(fling.duration == .seconds(2))
    }

    @Test func `GTK stops short of the limit by what the frame clock misses`() {
        for speed in speeds {
            let short = speed / 4 - fling(GTKFling(), speed).target
            #expect((13...15.5).contains(short))
            let shorter = speed / 4 - fling(GTKFling(ticksPerSecond: 120), speed).target
            #expect((28...30.5).contains(shorter), "a step of a pixel is faster then")
        }
        let ticks = fling(GTKFling(), 2_000).duration / .seconds(1) * 60
        #expect(abs(ticks - ticks.rounded()) < 1e-6)
    }

    @Test func `GTK and Qt come to rest on whole pixels`() {
        for model in [GTKFling(), QtFling()] as [any FlingModel] {
            let fling = model.fling(
                from: 99.4, velocity: 777, bounds: 0...5_000, viewportHeight: 1_080)
            #expect(fling.target == fling.target.rounded())
        }
    }

    @Test func `a fling that follows another of the same direction may be faster`() {
        let running = fling(ChromiumPhysicsFling(), 3_000)
        let flywheel = Flywheel(fling: running, elapsed: .milliseconds(100))
        #expect(ChromiumPhysicsFling().flywheelVelocity(2_000, by: flywheel) == 5_000)
        #expect(ChromiumLegacyFling().flywheelVelocity(-2_000, by: flywheel) == -2_000)
        #expect(FlingModelName.uiKit.model().flywheelVelocity(2_000, by: flywheel) == 2_000)
        let left = flywheel.velocity
        #expect(AndroidSplineFling().flywheelVelocity(2_000, by: flywheel) == 2_000 + left)
        #expect(GTKFling().flywheelVelocity(0.2 * left, by: flywheel) == 0.2 * left)
        #expect(abs(GTKFling().flywheelVelocity(left, by: flywheel) - 2 * left) < 1e-9)
        #expect(abs(GTKFling().flywheelVelocity(left * 99, by: flywheel) - 105 * left) < 1e-6)
    }
}
