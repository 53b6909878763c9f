/// Android's fling: whole pixels along a tabulated spline.
///
/// Distance and duration follow ``AndroidFriction``'s power law: with L = ln(0.35·|v|/778.4) at
/// density 1, 778.4·e^(1.736·L) px in e^(0.736·L) s, truncated to whole px and ms. (AOSP,
/// android/widget/OverScroller.java; the velocity's limit is ViewConfiguration's.)
package struct AndroidSplineFling: FlingModel {
    private static let spline = AndroidSpline()
    private let law: AndroidFriction

    /// A fling with Android's constants, and its friction times a brake.
    package init(brake: Double = 1) {
        law = AndroidFriction(brake: brake)
    }

    /// Returns a path in steps of whole pixels.
    package func curve(
        from start: Double, velocity: Double, viewportHeight: Double
    ) -> any FlingCurve {
        let speed = min(abs(velocity), AndroidFriction.maximumVelocity).rounded(.towardZero)
        let way = law.distance(speed: speed).rounded(.towardZero)
        return Curve(
            distance: velocity < 0 ? -way : way,
            duration: (law.duration(speed: speed) * 1000).rounded(.towardZero) / 1000)
    }

    /// Returns the new velocity plus the current velocity of the running fling: Android's flywheel.
    package func flywheelVelocity(_ velocity: Double, by flywheel: Flywheel) -> Double {
        velocity * flywheel.velocity > 0 ? velocity + flywheel.velocity : velocity
    }

    private struct Curve: FlingCurve {
        let distance: Double
        let duration: Double

        func distance(at time: Double) -> Double {
            (distance * AndroidSplineFling.spline.progress(at: time / duration).position).rounded()
        }

        func velocity(at time: Double) -> Double {
            distance / duration * AndroidSplineFling.spline.progress(at: time / duration).slope
        }
    }
}
