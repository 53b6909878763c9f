/// A fling's path in an endless list: the formula itself, in px and seconds since the release.
///
/// ``Fling`` asks for times between 0 and `duration` only. Displacements never turn back.
package protocol FlingCurve: Sendable {
    /// Where it ends, relative to the start.
    var distance: Double { get }

    /// When it ends.
    var duration: Double { get }

    /// How far it has come, relative to the start.
    func distance(at time: Double) -> Double

    /// How fast it is then, in px per second.
    func velocity(at time: Double) -> Double

    /// When it has come as far as `distance`, which lies between 0 and its end.
    func time(atDistance distance: Double) -> Double
}

extension FlingCurve {
    /// By bisection, which serves all formulas, also those that round or have no inverse; 60
    /// evaluations at most.
    func time(atDistance distance: Double) -> Double {
        var early = 0.0
        var late = duration
        for _ in 0..<60 where late - early > 1e-10 {
            let middle = (early + late) / 2
            if abs(self.distance(at: middle)) < abs(distance) {
                early = middle
            } else {
                late = middle
            }
        }
        return late
    }
}
