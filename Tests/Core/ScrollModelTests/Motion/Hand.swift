import ScrollModel
import TestSupport

/// A finger that flicks as people do: its samples, as a panel reports them.
///
/// Sampled at 100 to 130 Hz, irregular by ±2 ms; 8 to 19 samples in 40 to 180 ms; the first move
/// often late and without a move; positions jitter. The lift repeats the last position up to 15 ms
/// later.
struct Hand {
    struct Sample {
        var time: Instant
        /// Where the finger is, in fractions of a pixel, downwards.
        var y: Double
    }

    /// How hard people flick, in px per second.
    enum Force: CaseIterable {
        case slow, medium, hard

        var speeds: ClosedRange<Double> {
            switch self {
            case .slow: 740...1_750
            case .medium: 1_100...3_300
            case .hard: 5_000...15_000
            }
        }
    }

    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// A stroke from the touch to the last move, and when the finger leaves the panel.
    ///
    /// `isUp` is the way of the finger: the content follows it, so offsets grow.
    mutating func stroke(
        _ force: Force, isUp: Bool, at start: Instant
    ) -> (samples: [Sample], lift: Instant) {
        let speed = Double.random(in: force.speeds, using: &random)
        let period = 1_000 / Double.random(in: 100...130, using: &random)
        var count = Int.random(in: 8...19, using: &random)
        let isLate = Double.random(in: 0...1, using: &random) < 0.7
        let wait = isLate ? Double.random(in: 10...45, using: &random) : period
        count = max(8, min(count, Int((180 - wait) / period) + 2))
        let length = Double(count - 1) * period
        let ramp = Double.random(in: 0.3...0.8, using: &random)
        let ending = Double.random(in: -0.15...0.15, using: &random)
        var time = 0.0
        var samples = [Sample(time: start, y: 1_500)]
        var begin = 0.0
        for index in 1..<count {
            if index == 1, isLate {
                time = wait
                begin = time
                samples.append(Sample(time: start + .milliseconds(time), y: 1_500))
                continue
            }
            time += period + Double.random(in: -2...2, using: &random)
            let way =
                speed / 1_000 * length
                * Self.way(
                    (time - begin) / length, ramp: ramp, ending: ending)
            let y = 1_500 + (isUp ? -way : way) + 0.3 * gauss()
            samples.append(Sample(time: start + .milliseconds(time), y: y))
        }
        let lift = time + Double.random(in: 0...15, using: &random)
        return (samples, start + .milliseconds(lift))
    }

    /// A number that is random as the hand is.
    mutating func number(in range: ClosedRange<Double>) -> Double {
        Double.random(in: range, using: &random)
    }

    /// The way of a finger that speeds up until `ramp` and then hardly changes: its velocity's
    /// integral, in steps.
    private static func way(_ time: Double, ramp: Double, ending: Double) -> Double {
        let steps = 64
        let step = time / Double(steps)
        return (0..<steps).reduce(0) { sum, index in
            let s = (Double(index) + 0.5) * step
            let velocity =
                s < ramp
                ? 0.25 + 0.75 * s / ramp : 1 + ending * (s - ramp) / (1 - ramp)
            return sum + velocity * step
        }
    }

    /// A number from the normal distribution, nearly: the sum of twelve even ones, less six.
    private mutating func gauss() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) }
    }
}

extension Duration {
    /// So many milliseconds, to the nanosecond.
    static func milliseconds(_ count: Double) -> Duration {
        .nanoseconds(Int64((count * 1e6).rounded()))
    }
}
