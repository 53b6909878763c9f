/// A correction that fits a path to observed offsets of a list.
///
/// It is one Gauss–Newton step for two parameters, the velocity and the start, with the estimates
/// at the release as a prior.
struct PathFit: Sendable {
    /// The current initial velocity of the path, and that measured from the finger.
    let velocity: (now: Double, release: Double)
    /// The current start of the path, and that estimated at the release, in px.
    let start: (now: Double, release: Double)
    /// The usual relative error of the release velocity.
    let relativeDeviation: Double

    /// The usual error of the start, in px.
    private static let offsetDeviation = 20.0

    /// Returns the changes of the velocity and the start; nil if the points don't determine them.
    ///
    /// `residuals` are the deviations of the points from the path, in px; `slopes` are the changes of
    /// the path at each point for each px per second.
    func step(residuals: [Double], slopes: [Double]) -> (velocity: Double, start: Double)? {
        let precision =
            1 / (relativeDeviation * relativeDeviation * velocity.release * velocity.release)
        let startPrecision = 1 / (Self.offsetDeviation * Self.offsetDeviation)
        let aa = slopes.reduce(precision) { $0 + $1 * $1 }
        let ab = slopes.reduce(0, +)
        let bb = Double(residuals.count) + startPrecision
        let a = zip(slopes, residuals).reduce(precision * (velocity.release - velocity.now)) {
            $0 + $1.0 * $1.1
        }
        let b = residuals.reduce(startPrecision * (start.release - start.now), +)
        let determinant = aa * bb - ab * ab
        guard determinant > 0 else { return nil }
        let limit = 0.3 * abs(velocity.now)
        return (
            min(max((a * bb - b * ab) / determinant, -limit), limit),
            (aa * b - ab * a) / determinant
        )
    }
}
