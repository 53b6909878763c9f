import ScrollModel
import TestSupport
import Testing

/// The velocity that strokes in a row add up to.
struct FlywheelTests {
    private func fling(_ model: any FlingModel, _ velocity: Double) -> Fling {
        model.fling(from: 0, velocity: velocity, bounds: -1e6...1e6, viewportHeight: 900)
    }

    private func flywheel(_ fling: Fling, strokes: Int = 1, pages: Double = 100) -> Flywheel {
        Flywheel(fling: fling, elapsed: .milliseconds(100), strokes: strokes, pages: pages)
    }

    @Test func `Qt boosts fast flicks in long lists, three times at most`() {
        let model = QtFling()
        let fast = fling(model, 2_400)
        #expect(model.flywheelVelocity(1_600, by: flywheel(fast)) == 2_000)
        #expect(model.flywheelVelocity(1_600, by: flywheel(fast, strokes: 3)) == 2_800)
        #expect(model.flywheelVelocity(1_600, by: flywheel(fast, strokes: 50)) == 4_800)
        #expect(model.flywheelVelocity(1_200, by: flywheel(fast)) == 1_200, "too slow")
        #expect(
            model.flywheelVelocity(1_600, by: flywheel(fast, pages: 10)) == 1_600,
            "too short a list")
        #expect(model.flywheelVelocity(-1_600, by: flywheel(fast)) == -1_600, "the other way")
    }

    @Test func `UIKit carries a part of a running fling that grows with it`() {
        let model = FlingModelName.uiKit.model()
        let flywheel = flywheel(fling(model, 3_000))
        let carried = model.flywheelVelocity(2_000, by: flywheel) - 2_000
        // 0.000816 · 2456^1.967, the list being as fast after 100 ms.
        #expect(abs(flywheel.velocity - 2_455.7) < 1 && abs(carried - 3_803) < 5)
        #expect(model.flywheelVelocity(1_900, by: flywheel) == 1_900, "too slow")
        #expect(model.flywheelVelocity(-2_000, by: flywheel) == -2_000, "the other way")
        let fastest = self.flywheel(fling(model, -200_000))
        #expect(model.flywheelVelocity(-30_000, by: fastest) == -70_000, "no more than 40,000")
    }
}
