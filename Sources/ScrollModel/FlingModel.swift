/// A platform's rule for the path of a fling: of a list that a finger lets go of.
///
/// The same stroke ends 194 px further on Android, 499 px on iOS, and 189 px in a desktop
/// browser (at 1000 px/s); so which rows are worth loading depends on whose scroller moves the
/// list. Where the scroller tells its target itself, believe it instead.
///
/// ```swift
/// let fling = ChromiumPhysicsFling().fling(
///     from: 1_200, velocity: 3_000, bounds: viewport.minimumOffset...viewport.maximumOffset,
///     viewportHeight: 800)
/// fling.target      // where the list will rest
/// fling.duration    // and when
/// ```
package protocol FlingModel: Sendable {
    /// Returns the path of a list that is let go and that nothing bounds.
    ///
    /// `start` is where the list is, in px, `velocity` how fast the offset grows, in px per second. A
    /// velocity below the platform's minimum gives a tiny fling, or one that rests at once. Some
    /// platforms limit the way by the window's height, in px.
    func curve(
        from start: Double, velocity: Double, viewportHeight: Double
    ) -> any FlingCurve

    /// The velocity of a fling that begins while another still moves the list, in px per second.
    ///
    /// Flicking on and on makes lists faster than any single flick; how much is kept of the
    /// running fling is the platform's to say. By default nothing.
    func boosted(_ velocity: Double, by train: FlingTrain) -> Double
}

extension FlingModel {
    /// Returns the path of a list that is let go.
    ///
    /// - Parameters:
    ///   - offset: where the list is, in px; brought into the bounds if it lies outside.
    ///   - velocity: how fast the offset grows, in px per second.
    ///   - bounds: the offsets at which the list can rest.
    ///   - viewportHeight: the window's height in px.
    /// - Returns: the whole path, from which any moment can be asked.
    /// - Precondition: offset, velocity and height are finite, the height is not negative.
    package func fling(
        from offset: Double, velocity: Double, bounds: ClosedRange<Double>, viewportHeight: Double
    ) -> Fling {
        Fling(
            from: offset, velocity: velocity, within: bounds, viewportHeight: viewportHeight,
            by: self)
    }

    /// The velocity as it is: the running fling adds nothing.
    package func boosted(_ velocity: Double, by train: FlingTrain) -> Double { velocity }
}

/// A fling's path in an endless list: the formula itself, in px and seconds since the release.
///
/// ``Fling`` asks for times between 0 and `duration` only. Displacements never turn back.
package protocol FlingCurve: Sendable {
    /// Its end, relative to the start.
    var distance: Double { get }

    /// The time of its end.
    var duration: Double { get }

    /// Returns the distance from the start at a time.
    func distance(at time: Double) -> Double

    /// Returns the velocity at a time, in px per second.
    func velocity(at time: Double) -> Double

    /// Returns the time at which it has come as far as `distance`, between 0 and its end.
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
