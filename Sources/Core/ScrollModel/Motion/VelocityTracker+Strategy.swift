extension VelocityTracker {
    /// A platform's estimator of a velocity from samples.
    ///
    /// For the same stroke the estimates differ by a twentieth, sometimes by a quarter, and a
    /// distance that grows with the square of the velocity doubles that. So a prediction needs the
    /// scroller's estimator, not only its curve.
    package enum Strategy: Sendable, Hashable {
        /// The slope of a straight line through the samples: least squares of degree 1.
        case line
        /// The slope at the end of a parabola through the samples: least squares of degree 2, as in
        /// Android, Flutter and Chromium.
        case parabola
        /// The velocity after a series of impulses, one for each move: Android's IMPULSE.
        case impulse
        /// A weighted mean of the velocities between the last four samples.
        case weightedMean(oldest: Double, middle: Double, newest: Double)
        /// The distance from the first sample to the last divided by the time between them, as in
        /// GTK.
        case span

        /// The estimator of iOS, as found by Flutter: the oldest of three moves has the largest
        /// weight.
        package static let iOS = weightedMean(oldest: 0.6, middle: 0.35, newest: 0.05)
        /// The estimator of macOS, by the same source: the middle one has the largest weight.
        package static let macOS = weightedMean(oldest: 0.15, middle: 0.65, newest: 0.2)
        /// The estimator of Qt Quick: the plain mean of the last three.
        package static let qt = weightedMean(oldest: 1.0 / 3, middle: 1.0 / 3, newest: 1.0 / 3)

        /// Returns the velocity at time 0 of points whose times end there.
        ///
        /// Times are strictly ascending numbers of seconds, since a fit sums their products; with
        /// fewer than two points the velocity is 0. O(points).
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

        /// Returns the velocities between neighbours.
        private static func slopes(_ times: [Double], _ values: [Double]) -> [Double] {
            (1..<times.count).map { (index: Int) -> Double in
                let way: Double = values[index] - values[index - 1]
                return way / (times[index] - times[index - 1])
            }
        }
    }
}

/// Least-squares fits of a line and a parabola.
enum LeastSquares {
    /// Returns the slope at time 0 of a parabola through points whose times end at 0.
    ///
    /// With two points, or if the times are too close together for a parabola, it is the slope of a
    /// straight line; with fewer, 0. Times are strictly ascending. O(points).
    ///
    /// With deviations from the means, the normal equations of y = a + bt + ct² reduce to two:
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

    /// Returns the slope of a straight line through points; 0 with fewer than two.
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

/// The velocity of a body after a series of impulses, one for each move.
///
/// A body of mass 1 is accelerated to the velocity of each move in turn. An impulse does the work
/// |v|·(v − velocity from the work so far); the first does half of that, since the body is assumed
/// to move already. The final velocity corresponds to the total work. (AOSP,
/// libs/input/VelocityTracker.cpp, ImpulseVelocityTrackerStrategy.)
enum Impulse {
    /// Returns the final velocity after moves with these velocities, the oldest first.
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
