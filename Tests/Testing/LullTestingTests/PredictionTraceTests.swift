import LullTesting
import ScrollModel
import ShippedTraces
import Testing

/// The predictions for the recorded scrolls, from what an app is told.
struct PredictionTraceTests {
    /// A lift, where its fling was said to rest, and where it did.
    private struct Lift {
        var forecast: FlingForecast
        var landing = 0.0
    }

    private static let singles = Shipped.names.filter { name in
        name.contains("fling") && !name.contains("no-fling")
            && !["catch", "reverse", "flywheel", "train", "bottom"].contains { name.contains($0) }
    }

    private func model(_ name: String) -> FlingModelName {
        name.contains("legacy") ? .chromiumLegacy : .chromium
    }

    /// Tells the predictor a whole trace, and `onFrame` what it says at each frame.
    private func follow(
        _ name: String, _ predictor: FlingPredictor,
        onFrame: (Trace.Sample, FlingForecast?) -> Void = { _, _ in }
    ) throws -> [Lift] {
        let trace = try Shipped.trace(name)
        var predictor = predictor
        var list = Shipped.list(name)
        var lifts: [Lift] = []
        var samples = trace.samples[...]
        func frames(until time: Instant) {
            while let sample = samples.first, sample.time <= time {
                samples.removeFirst()
                list.scroll(to: sample.offset)
                let forecast = predictor.observe(
                    sample.offset, at: sample.time, in: list)
                if !lifts.isEmpty { lifts[lifts.count - 1].landing = list.offset }
                onFrame(sample, forecast)
            }
        }
        for event in trace.events {
            frames(until: event.time)
            let time = event.time
            switch event.input {
            case .down(let y): predictor.fingerDown(y, at: time, offset: list.offset)
            case .move(let y): predictor.fingerMoved(y, at: time)
            case .up(let y):
                _ = predictor.fingerUp(y, at: time, in: list)
                if let forecast = predictor.forecast { lifts.append(Lift(forecast: forecast)) }
            case .cancel, .wheel, .key, .jump: predictor.fingerCancelled()
            }
        }
        frames(until: .distantFuture)
        return lifts
    }

    private func rowsOff(_ lift: Lift, in list: Viewport) -> Int {
        func middle(_ offset: Double) -> Int {
            list.list.position(at: list.clamped(offset) + list.height / 2) ?? -1
        }
        return abs(middle(lift.forecast.target) - middle(lift.landing))
    }

    @Test(arguments: singles)
    func `a recorded fling rests within three rows of where it was foretold`(name: String) throws {
        let lifts = try follow(name, FlingPredictor(model: model(name).model()))
        #expect(!lifts.isEmpty)
        for lift in lifts { #expect(rowsOff(lift, in: Shipped.list(name)) <= 3, "\(name)") }
    }

    @Test(arguments: ["chromium-fling-train-read", "chromium-legacy-fling-train-read"])
    func `a few recorded flings tell whose scroller it was`(name: String) throws {
        let lifts = try follow(name, FlingPredictor(learning: FlingLearner(guess: Scroller(.gtk))))
        let late = lifts.dropFirst(3)
        #expect(!late.isEmpty)
        let near = late.count { rowsOff($0, in: Shipped.list(name)) <= 3 }
        #expect(near * 10 >= late.count * 9, "\(near) of \(late.count)")
    }

    @Test(arguments: [
        "chromium-fling-catch-tap", "chromium-fling-reverse", "chromium-legacy-fling-reverse",
    ])
    func `no forecast outlives a recorded catch or reversal`(name: String) throws {
        var touches: [Instant] = []
        for event in try Shipped.trace(name).events {
            if case .down = event.input { touches.append(event.time) }
        }
        let second = try #require(touches.dropFirst().first)
        let lift = try #require(
            try Shipped.trace(name).events.first {
                if case .up = $0.input { $0.time > second } else { false }
            }
        ).time
        var foretold = 0
        _ = try follow(name, FlingPredictor(model: model(name).model())) { sample, forecast in
            if sample.time < second, forecast != nil { foretold += 1 }
            if sample.time > second, sample.time < lift { #expect(forecast == nil) }
        }
        #expect(foretold > 5)
    }
}
