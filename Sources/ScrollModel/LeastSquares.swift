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
