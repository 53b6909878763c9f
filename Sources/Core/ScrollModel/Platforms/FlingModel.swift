/// A platform's model of flings: the path of a list after a finger releases it.
///
/// ```swift
/// let fling = ChromiumPhysicsFling().fling(
///     from: 1_200, velocity: 3_000, bounds: 0...viewport.maximumOffset,
///     viewportHeight: 800)
/// fling.target      // where the list will rest
/// fling.duration    // and when
/// ```
package protocol FlingModel: Sendable {
    /// Returns the path of a list after its release, without bounds.
    ///
    /// `start` is the list's offset in px, `velocity` the velocity of the offset in px per second.
    /// A velocity below the platform's minimum gives a tiny fling, or one that rests at once. Some
    /// platforms limit the distance by the viewport's height, in px.
    func curve(
        from start: Double, velocity: Double, viewportHeight: Double
    ) -> any FlingCurve

    /// Returns the velocity of a fling that begins while another still moves the list, in px per
    /// second.
    ///
    /// Repeated flicks make lists faster than any single flick; the platform determines how much of
    /// the running fling's velocity is kept. By default, nothing is.
    func flywheelVelocity(_ velocity: Double, by flywheel: Flywheel) -> Double

    /// The longest time for which a finger that drags a list may stand still without losing the
    /// velocity of the fling that it caught; 40 ms by default.
    var longestPause: Duration { get }
}

extension FlingModel {
    /// Returns the path of a list after its release; see
    /// ``Scroller/fling(from:velocity:bounds:viewportHeight:)``.
    package func fling(
        from offset: Double, velocity: Double, bounds: ClosedRange<Double>, viewportHeight: Double
    ) -> Fling {
        Fling(
            from: offset, velocity: velocity, within: bounds, viewportHeight: viewportHeight,
            by: self)
    }

    /// Returns the velocity unchanged: the running fling adds nothing.
    package func flywheelVelocity(_ velocity: Double, by flywheel: Flywheel) -> Double { velocity }

    /// The time after which a pause ends a stroke.
    package var longestPause: Duration { .milliseconds(40) }
}

/// A fling's path without bounds: the formula itself, in px and seconds since the release.
///
/// Times are numbers of seconds, since that is what powers and exponentials take: a fit evaluates a
/// path some twenty times at each frame. ``Fling`` converts from `Duration`, and evaluates it at
/// times between 0 and `duration` only. The distance is monotonic.
package protocol FlingCurve: Sendable {
    /// The total distance from the start.
    var distance: Double { get }

    /// The total duration.
    var duration: Double { get }

    /// Returns the distance from the start at a time.
    func distance(at time: Double) -> Double

    /// Returns the velocity at a time, in px per second.
    func velocity(at time: Double) -> Double

    /// Returns the time at which the path reaches `distance`, between 0 and its end.
    func time(atDistance distance: Double) -> Double
}

extension FlingCurve {
    /// Returns the time by bisection, which works for all formulas, also for those that round or
    /// have no inverse; 60 evaluations at most.
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
