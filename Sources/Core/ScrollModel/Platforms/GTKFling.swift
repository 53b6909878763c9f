internal import LullLibC

/// GTK's kinetic scrolling: exponential decay, ended by the frame clock.
///
/// v(t) = v₀·e^(−4t). It ends at the first tick at which it is slower than 1 px/s, or, except at
/// the first tick, has moved less than 1 px since the tick before; then the offset is rounded to a
/// whole px. So the target depends on the refresh rate: at 60 Hz the list stops 15 px short of
/// v₀/4, at 120 Hz 30 px. (GTK, gtkkineticscrolling.c; the friction is gtkscrolledwindow.c's.)
package struct GTKFling: FlingModel {
    /// The velocity at rest, in px per second.
    private static let restVelocity = 1.0
    /// The step at rest, in px.
    private static let restStep = 1.0
    /// The minimum velocity of a new fling that adds to a running one, as a share of the running
    /// velocity, and the maximum factor by which the running velocity is added.
    private static let boost = (floor: 0.33, maximum: 6.0)

    /// The share of the speed that is lost, per second.
    private let friction: Double
    private let tick: Double

    /// A fling with GTK's constants and its friction times a brake, on a frame clock.
    ///
    /// - Precondition: both are positive.
    package init(brake: Double = 1, ticksPerSecond: Double = 60) {
        precondition(brake > 0 && ticksPerSecond > 0, "a fling's constants are positive")
        friction = 4 * brake
        tick = 1 / ticksPerSecond
    }

    /// Returns a path that ends on a tick and on a whole pixel; O(ticks).
    package func curve(
        from start: Double, velocity: Double, viewportHeight: Double
    ) -> any FlingCurve {
        var curve = Curve(velocity: velocity, friction: friction)
        guard velocity != 0 else { return curve }
        repeat {
            let before = curve.distance
            let isFirst = curve.duration == 0
            curve.duration += tick
            curve.distance = curve.distance(at: curve.duration)
            if !isFirst, abs(curve.distance - before) < Self.restStep { break }
        } while abs(curve.velocity(at: curve.duration)) >= Self.restVelocity
        curve.distance = (start + curve.distance).rounded() - start
        // A distance that rounding makes zero or reverses counts as none.
        return curve.distance * velocity > 0 ? curve : Curve(velocity: 0, friction: friction)
    }

    /// Returns the new velocity plus a multiple of the running one, which grows with the new
    /// velocity.
    package func flywheelVelocity(_ velocity: Double, by flywheel: Flywheel) -> Double {
        let old = flywheel.velocity
        let floor = Self.boost.floor * old
        guard velocity * old > 0, abs(velocity) >= abs(floor) else { return velocity }
        return velocity + old * min((velocity - floor) / (old - floor), Self.boost.maximum)
    }

    private struct Curve: FlingCurve {
        let velocity: Double
        let friction: Double
        var distance = 0.0
        var duration = 0.0

        func distance(at time: Double) -> Double { -velocity * expm1(-friction * time) / friction }

        func velocity(at time: Double) -> Double { velocity * exp(-friction * time) }
    }
}
