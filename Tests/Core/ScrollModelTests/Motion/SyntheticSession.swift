import ScrollModel
import TestSupport

/// A person who flings through a list that a platform moves, and a predictor that looks on.
///
/// The predictor sees what an app does: positions in whole pixels at the times of the panel, and
/// where the list is at each frame, in whole pixels; nothing of the platform's own numbers.
struct SyntheticSession {
    /// One fling, as it went.
    struct Outcome {
        var prediction: FlingForecast
        var landing: Double
    }

    /// What stops or turns a fling that the predictor isn't told of.
    enum Disturbance: CaseIterable {
        case catching, reversal
    }

    let engine: Scheduling
    private(set) var viewport: Viewport
    private var hand: Hand
    private var clock: Instant = .seconds(1)
    private let bounds: ClosedRange<Double>

    init(_ engine: Scheduling, seed: UInt64) throws {
        self.engine = engine
        var random = SplitMix64(seed: seed ^ 0x5EED)
        // From 72 to 360 px, most of them short: 117 on average.
        let heights = (0..<4_000).map { _ in
            let share = Double.random(in: 0...1, using: &random)
            return (72 + 288 * share * share * share * share * share).rounded()
        }
        viewport = Viewport(rows: try RowHeights(heights), height: 900)
        viewport.scroll(to: viewport.maximumOffset / 2)
        bounds = (0.2 * viewport.maximumOffset)...(0.8 * viewport.maximumOffset)
        hand = Hand(seed: seed)
    }

    /// A fling from its touch to its rest.
    mutating func fling(_ predictor: inout FlingPredictor) -> Outcome? {
        guard let (prediction, path, lift) = release(&predictor) else { return nil }
        var time = lift + .milliseconds(hand.number(in: 1...16))
        while time - lift < path.duration + .milliseconds(250) {
            let offset = path.offset(at: time - lift).rounded()
            predictor.observe(offset, at: time, in: viewport)
            time += .nanoseconds(16_666_667)
        }
        rest(at: path.target, time)
        return Outcome(prediction: prediction, landing: path.target.rounded())
    }

    /// A fling that is caught or turned, unheard of by the predictor, while it is fast.
    ///
    /// Returns at how many frames after the first that showed it there still was a forecast; nil
    /// if the list was never fast enough for a frame to show it.
    mutating func disturbedFling(
        _ predictor: inout FlingPredictor, by disturbance: Disturbance
    ) -> Int? {
        guard let (_, path, lift) = release(&predictor) else { return nil }
        let moment = hand.number(in: 60...400)
        let fast = abs(path.velocity(at: .milliseconds(moment)))
        var time = lift + .milliseconds(hand.number(in: 1...16))
        var survivors = 0
        var frames = 0
        while frames < 8 {
            var offset = path.offset(at: min(time - lift, .milliseconds(moment))).rounded()
            let past = (time - lift) / .milliseconds(1) - moment
            if past > 0, disturbance == .reversal {
                offset -= (path.velocity < 0 ? -1 : 1) * (past * 1.2).rounded()
            }
            let forecast = predictor.observe(offset, at: time, in: viewport)
            if past > 0 {
                frames += 1
                if frames > 1, forecast != nil { survivors += 1 }
            }
            time += .nanoseconds(16_666_667)
        }
        predictor.fingerCancelled()
        rest(at: path.offset(at: .milliseconds(moment)), time)
        return fast > 300 ? survivors : nil
    }

    /// A stroke, seen by the platform and by the predictor.
    private mutating func release(
        _ predictor: inout FlingPredictor
    ) -> (FlingForecast, Fling, lift: Instant)? {
        clock += .milliseconds(hand.number(in: 300...2_000))
        let choice = hand.number(in: 0...1)
        let force: Hand.Force = choice < 0.35 ? .slow : choice < 0.75 ? .medium : .hard
        let stroke = hand.stroke(force, isUp: hand.number(in: 0...1) < 0.6, at: clock)
        let offset = viewport.offset.rounded()
        for (index, sample) in stroke.samples.enumerated() {
            let time = Self.recorded(sample.time)
            if index == 0 {
                predictor.fingerDown(sample.y.rounded(), at: time, offset: offset)
            } else {
                predictor.fingerMoved(sample.y.rounded(), at: time)
            }
        }
        let last = stroke.samples[stroke.samples.count - 1].y.rounded()
        clock = stroke.lift
        let lifted = predictor.fingerUp(last, at: stroke.lift, in: viewport)
        guard let lifted, let path = engine.fling(after: stroke.samples, from: offset, in: viewport)
        else { return nil }
        return (lifted, path, stroke.lift)
    }

    /// A time as traces have it, to a tenth of a millisecond.
    private static func recorded(_ time: Instant) -> Instant {
        .milliseconds((Double(time.nanoseconds) / 1e5).rounded() / 10)
    }

    /// The list rests; the person doesn't go near its ends.
    private mutating func rest(at offset: Double, _ time: Instant) {
        viewport.scroll(to: bounds.contains(offset) ? offset : viewport.maximumOffset / 2)
        clock = time
    }
}
