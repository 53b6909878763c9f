extension VelocityTracker {
    /// A platform's estimator of a velocity from samples.
    ///
    /// For the same stroke the estimates differ by a twentieth, sometimes by a quarter, and a
    /// distance that grows with the square of the velocity doubles that. So a prediction needs the
    /// scroller's estimator, not only its curve.
    package enum Strategy: Sendable, Hashable {
        /// The slope at the end of a parabola through the samples: least squares of degree 2, as in
        /// Android, Flutter and Chromium.
        case parabola
        /// A weighted mean of the velocities between the last four samples.
        case weightedMean(oldest: Double, middle: Double, newest: Double)
        /// The distance from the first sample to the last divided by the time between them, as in
        /// GTK.
        case span

        /// The estimator of iOS, as found by Flutter: the oldest of three moves has the largest
        /// weight.
        package static let iOS = weightedMean(oldest: 0.6, middle: 0.35, newest: 0.05)
        /// The estimator of Qt Quick: the plain mean of the last three.
        package static let qt = weightedMean(oldest: 1.0 / 3, middle: 1.0 / 3, newest: 1.0 / 3)

        /// Returns the velocity at time 0 of points whose times end there.
        ///
        /// Times are strictly ascending numbers of seconds, since a fit sums their products; with
        /// fewer than two points the velocity is 0. O(points).
        func velocity(times: [Double], values: [Double]) -> Double {
            guard let start = times.first, let end = times.last, start < end else { return 0 }
            switch self {
            case .parabola:
                return LeastSquares.slopeAtEnd(times: times, values: values)
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

/// A least-squares fit of a parabola.
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

    private static func covariance(_ one: [Double], _ other: [Double]) -> Double {
        let mean = one.reduce(0, +) / Double(one.count)
        let otherMean = other.reduce(0, +) / Double(other.count)
        return zip(one, other).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - otherMean) }
    }
}
