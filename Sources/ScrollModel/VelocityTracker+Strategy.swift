extension VelocityTracker {
    /// A platform's way to make a velocity of samples.
    ///
    /// On the same stroke they differ by a twentieth, sometimes by a quarter, and a way that grows
    /// with the square of the velocity doubles that. So whoever predicts a scroller's flings uses
    /// its estimator, not only its curve.
    package enum Strategy: Sendable, Hashable {
        /// The slope of a straight line through the samples: least squares of degree 1.
        case line
        /// The slope at its end of a parabola through them: least squares of degree 2, the way of
        /// Android, Flutter and Chromium.
        case parabola
        /// As if each move were a push, and the velocity what all pushes left: Android's IMPULSE.
        case impulse
        /// A weighted mean of the velocities between the last four samples.
        case weightedMean(oldest: Double, middle: Double, newest: Double)
        /// The way from the first sample to the last by the time between them, as in GTK.
        case span

        /// That of iOS, as Flutter found out: the oldest of three moves counts most.
        package static let iOS = weightedMean(oldest: 0.6, middle: 0.35, newest: 0.05)
        /// That of macOS, by the same source: the one in the middle counts most.
        package static let macOS = weightedMean(oldest: 0.15, middle: 0.65, newest: 0.2)
        /// That of Qt Quick: the plain mean of the last three.
        package static let qt = weightedMean(oldest: 1.0 / 3, middle: 1.0 / 3, newest: 1.0 / 3)

        /// The velocity at time 0 of points whose times end there.
        ///
        /// Times ascend strictly; with fewer than two points the velocity is 0. O(points).
        func velocity(times: [Double], values: [Double]) -> Double {
            guard let start = times.first, let end = times.last, start < end else { return 0 }
            switch self {
            case .line:
                return LeastSquares.slope(times: times, values: values)
            case .parabola:
                return LeastSquares.slopeAtEnd(times: times, values: values)
            case .impulse:
                return Impulse.velocity(of: Self.slopes(times, values))
            case .weightedMean(let oldest, let middle, let newest):
                let slopes = Self.slopes(times, values).suffix(3)
                let weights = [oldest, middle, newest].suffix(slopes.count)
                let sum = weights.reduce(0, +)
                return zip(slopes, weights).reduce(0) { $0 + $1.0 * $1.1 } / sum
            case .span:
                return (values[values.count - 1] - values[0]) / (end - start)
            }
        }

        /// The velocities between neighbours.
        private static func slopes(_ times: [Double], _ values: [Double]) -> [Double] {
            (1..<times.count).map { (index: Int) -> Double in
                let way: Double = values[index] - values[index - 1]
                return way / (times[index] - times[index - 1])
            }
        }
    }
}

/// The curve that misses the points least, by the sum of squares.
enum LeastSquares {
    /// The slope at time 0 of a parabola through points whose times end at 0.
    ///
    /// With two points, or when the times are too close together for a parabola, the slope of
    /// a straight line; with fewer, 0. Times ascend strictly. O(points).
    ///
    /// With deviations from the means, the normal equations of y = a + bt + ct² shrink to two:
    /// b·Stt + c·Stq = Sty, b·Stq + c·Sqq = Sqy, where q stands for t².
    static func slopeAtEnd(times: [Double], values: [Double]) -> Double {
        guard times.count > 1 else { return 0 }
        let squares = times.map { $0 * $0 }
        let tt = covariance(times, times)
        let ty = covariance(times, values)
        let tq = covariance(times, squares)
        let qq = covariance(squares, squares)
        let determinant = tt * qq - tq * tq
        guard times.count > 2, determinant > 1e-9 * tt * qq else { return ty / tt }
        return (ty * qq - tq * covariance(squares, values)) / determinant
    }

    /// The slope of a straight line through points; 0 with fewer than two.
    ///
    /// O(points).
    static func slope(times: [Double], values: [Double]) -> Double {
        guard times.count > 1 else { return 0 }
        return covariance(times, values) / covariance(times, times)
    }

    private static func covariance(_ one: [Double], _ other: [Double]) -> Double {
        let mean = one.reduce(0, +) / Double(one.count)
        let otherMean = other.reduce(0, +) / Double(other.count)
        return zip(one, other).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - otherMean) }
    }
}

/// The velocity of something that got pushes, one for each move.
///
/// A body of mass 1 is pushed to the velocity of each move in turn. A push does the work
/// |v|·(v − what the work so far left), the first one half of that, since it is taken to move
/// already; the velocity in the end is what all the work amounts to. (AOSP,
/// libs/input/VelocityTracker.cpp, ImpulseVelocityTrackerStrategy.)
enum Impulse {
    /// The velocity that these velocities, oldest first, leave behind.
    static func velocity(of moves: [Double]) -> Double {
        var work = 0.0
        for (index, velocity) in moves.enumerated() {
            work += (velocity - left(by: work)) * abs(velocity)
            if index == 0 { work /= 2 }
        }
        return left(by: work)
    }

    private static func left(by work: Double) -> Double {
        let speed = (2 * abs(work)).squareRoot()
        return work < 0 ? -speed : speed
    }
}
