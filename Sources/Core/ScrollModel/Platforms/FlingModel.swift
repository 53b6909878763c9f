/// A platform's model of flings: the path of a list after a finger releases it.
///
/// The same stroke ends 194 px further on Android, 499 px on iOS, and 189 px in a desktop browser
/// (at 1000 px/s); so the rows that are worth loading depend on the scroller that moves the list.
/// If the scroller reports its target itself, use that instead.
///
/// ```swift
/// let fling = ChromiumPhysicsFling().fling(
///     from: 1_200, velocity: 3_000, bounds: viewport.minimumOffset...viewport.maximumOffset,
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
}

extension FlingModel {
    /// Returns the path of a list after its release.
    ///
    /// - Parameters:
    ///   - offset: the list's offset in px; clamped to the bounds.
    ///   - velocity: the velocity of the offset, in px per second.
    ///   - bounds: the offsets at which the list can rest.
    ///   - viewportHeight: the viewport's height in px.
    /// - Returns: the whole path, which can be evaluated at any time.
    /// - Precondition: `offset`, `velocity` and `viewportHeight` are finite, the height is not
    ///   negative.
    package func fling(
        from offset: Double, velocity: Double, bounds: ClosedRange<Double>, viewportHeight: Double
    ) -> Fling {
        Fling(
            from: offset, velocity: velocity, within: bounds, viewportHeight: viewportHeight,
            by: self)
    }

    /// Returns the velocity unchanged: the running fling adds nothing.
    package func flywheelVelocity(_ velocity: Double, by flywheel: Flywheel) -> Double { velocity }
}

/// A fling's path without bounds: the formula itself, in px and seconds since the release.
///
/// ``Fling`` evaluates it at times between 0 and `duration` only. The distance is monotonic.
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
