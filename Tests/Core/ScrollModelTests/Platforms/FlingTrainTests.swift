import ScrollModel
import TestSupport
import Testing

/// What strokes in a row add up to.
struct FlingTrainTests {
    private func fling(_ model: any FlingModel, _ velocity: Double) -> Fling {
        model.fling(from: 0, velocity: velocity, bounds: -1e6...1e6, viewportHeight: 900)
    }

    private func train(_ fling: Fling, strokes: Int = 1, pages: Double = 100) -> FlingTrain {
        FlingTrain(fling: fling, elapsed: .milliseconds(100), strokes: strokes, pages: pages)
    }

    @Test func `Qt boosts fast flicks in long lists, three times at most`() {
        let model = QtFling()
        let fast = fling(model, 2_400)
        #expect(model.boosted(1_600, by: train(fast)) == 2_000)
        #expect(model.boosted(1_600, by: train(fast, strokes: 3)) == 2_800)
        #expect(model.boosted(1_600, by: train(fast, strokes: 50)) == 4_800)
        #expect(model.boosted(1_200, by: train(fast)) == 1_200, "too slow")
        #expect(model.boosted(1_600, by: train(fast, pages: 10)) == 1_600, "too short a list")
        #expect(model.boosted(-1_600, by: train(fast)) == -1_600, "the other way")
    }

    @Test func `models that don't count strokes look at the caught fling alone`() {
        let running = fling(AndroidSplineFling(), 3_000)
        let train = train(running, strokes: 7)
        #expect(AndroidSplineFling().boosted(2_000, by: train) == 2_000 + train.velocity)
        #expect(FlutterFling().boosted(2_000, by: train) == 2_000)
    }
}
