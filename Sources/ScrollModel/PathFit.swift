/// A step that brings a path nearer to where a list was seen.
///
/// One step of Gauss and Newton for two numbers, the velocity and the start, with what was
/// believed at the release as a prior.
struct PathFit: Sendable {
    /// The velocity with which the path begins now, and that by the finger.
    let velocity: (now: Double, release: Double)
    /// The same of the place where it begins, in px.
    let start: (now: Double, release: Double)
    /// The usual error of the release velocity, as a share.
    let doubt: Double

    /// The usual error of the place, in px.
    private static let startDoubt = 20.0

    /// The changes, from how far each point lies off the path in px, and how much farther the path
    /// would be there for each px per second.
    ///
    /// Nil if the points don't tell.
    func step(misses: [Double], slopes: [Double]) -> (velocity: Double, start: Double)? {
        let sureness = 1 / (doubt * doubt * velocity.release * velocity.release)
        let startSureness = 1 / (Self.startDoubt * Self.startDoubt)
        let aa = slopes.reduce(sureness) { $0 + $1 * $1 }
        let ab = slopes.reduce(0, +)
        let bb = Double(misses.count) + startSureness
        let a = zip(slopes, misses).reduce(sureness * (velocity.release - velocity.now)) {
            $0 + $1.0 * $1.1
        }
        let b = misses.reduce(startSureness * (start.release - start.now), +)
        let determinant = aa * bb - ab * ab
        guard determinant > 0 else { return nil }
        let limit = 0.3 * abs(velocity.now)
        return (
            min(max((a * bb - b * ab) / determinant, -limit), limit),
            (aa * b - ab * a) / determinant
        )
    }
}
