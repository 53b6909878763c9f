/// Android's fling: whole pixels along a tabulated spline.
///
/// Distance and duration follow ``AndroidFriction``'s power law: with L = ln(0.35·|v|/778.4) at
/// density 1, 778.4·e^(1.736·L) px in e^(0.736·L) s, truncated to whole px and ms. (AOSP,
/// android/widget/OverScroller.java; the velocity's limit is ViewConfiguration's.)
package struct AndroidSplineFling: FlingModel {
    private let law: AndroidFriction
    private let spline: AndroidSpline
    private let maximumVelocity: Double

    /// A fling with Android's constants, or with others.
    ///
    /// - Parameters:
    ///   - density: physical px per density-independent px. Keep 1 if offsets are
    ///     density-independent.
    ///   - friction: ViewConfiguration's scroll friction.
    ///   - inflexion: the share of the time at which the spline's tensions meet.
    ///   - startTension: the tension of the spline at its start.
    ///   - endTension: the tension of the spline at its end.
    ///   - steps: the size of the spline's table.
    ///   - maximumVelocity: the maximum velocity at density 1, in px per second.
    /// - Precondition: all are positive, `inflexion` is below 1.
    /// - Complexity: fills the table, some twenty steps for each entry; keep the model.
    package init(
        density: Double = 1, friction: Double = 0.015, inflexion: Double = 0.35,
        startTension: Double = 0.5, endTension: Double = 1, steps: Int = 100,
        maximumVelocity: Double = 8000
    ) {
        precondition(
            arePositive(startTension, endTension, maximumVelocity) && steps > 0,
            "a fling's constants are positive")
        law = AndroidFriction(friction: friction, inflexion: inflexion, density: density)
        spline = AndroidSpline(
            inflexion: inflexion, startTension: startTension, endTension: endTension, steps: steps)
        self.maximumVelocity = maximumVelocity * density
    }

    /// Returns a path in steps of whole pixels.
    package func curve(
        from start: Double, velocity: Double, viewportHeight: Double
    ) -> any FlingCurve {
        let speed = min(abs(velocity), maximumVelocity).rounded(.towardZero)
        let way = law.distance(speed: speed).rounded(.towardZero)
        return Curve(
            distance: velocity < 0 ? -way : way,
            duration: (law.duration(speed: speed) * 1000).rounded(.towardZero) / 1000,
            spline: spline)
    }

    /// Returns the new velocity plus the current velocity of the running fling: Android's flywheel.
    package func flywheelVelocity(_ velocity: Double, by flywheel: Flywheel) -> Double {
        velocity * flywheel.velocity > 0 ? velocity + flywheel.velocity : velocity
    }
}

extension AndroidSplineFling {
    private struct Curve: FlingCurve {
        let distance: Double
        let duration: Double
        let spline: AndroidSpline

        func distance(at time: Double) -> Double {
            (distance * spline.progress(at: time / duration).position).rounded()
        }

        func velocity(at time: Double) -> Double {
            distance / duration * spline.progress(at: time / duration).slope
        }
    }
}
