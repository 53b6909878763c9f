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

    @Test func `momentum carries over if the stroke is faster than half of it`() {
        let model = BouncingFling.flutter
        let train = train(fling(model, 6_000))
        #expect(abs(train.velocity - 6_000 * 0.8185) < 5)
        let gain = model.boosted(9_000, by: train) - 9_000
        // 0.000816·v^1.967, by hand for 4911 px/s.
        #expect(abs(gain - 14_870) < 100)
        #expect(model.boosted(gain * 0.51, by: train) > gain)
        #expect(model.boosted(gain * 0.49, by: train) == gain * 0.49)
        #expect(model.boosted(-9_000, by: train) == -9_000)
        let wild = fling(model, 50_000)
        #expect(model.boosted(90_000, by: self.train(wild)) == 130_000)
    }

    @Test func `momentum is lost after 20 ms, other boosts after 40`() {
        #expect(BouncingFling.iOS.longestHold == .milliseconds(20))
        #expect(AndroidSplineFling().longestHold == .milliseconds(40))
    }

    @Test(arguments: [(pause: 15, isBoosted: true), (pause: 25, isBoosted: false)])
    func `a finger that rests on a bouncing list takes its momentum`(
        pause: Int, isBoosted: Bool
    ) throws {
        let viewport = Viewport(rows: try RowHeights(count: 9_000, height: 100), height: 900)
        var predictor = FlingPredictor(model: BouncingFling.iOS, lead: 0)
        func stroke(
            _ predictor: inout FlingPredictor, at start: Instant, pause: Int
        ) -> FlingForecast? {
            predictor.fingerDown(900, at: start, offset: 50_000)
            let begin = start + .milliseconds(pause)
            for step in 1...9 {
                predictor.fingerMoved(900 - Double(step) * 40, at: begin + .milliseconds(8 * step))
            }
            return predictor.fingerUp(540, at: begin + .milliseconds(73), in: viewport)
        }
        let again = Instant.milliseconds(200)
        let unhurried = stroke(&predictor, at: again, pause: pause - 8)
        let alone = try #require(unhurried)
        predictor.fingerCancelled()
        _ = stroke(&predictor, at: .zero, pause: 0)
        let following = stroke(&predictor, at: again, pause: pause - 8)
        let second = try #require(following)
        #expect((second.velocity > alone.velocity) == isBoosted)
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

    @Test func `models that don't count strokes are asked in the old way`() {
        let running = fling(AndroidSplineFling(), 3_000)
        let train = train(running, strokes: 7)
        #expect(AndroidSplineFling().boosted(2_000, by: train) == 2_000 + train.velocity)
        #expect(FlutterFling().boosted(2_000, by: train) == 2_000)
    }
}
