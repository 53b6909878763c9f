/// Qt Quick's Flickable: a constant deceleration to a whole pixel.
///
/// The velocity is limited, the distance v²/(2a) leads to a target that is rounded to a whole px,
/// and the deceleration a is then corrected to end exactly there: x(t) = x₀ + v·t − a·t²/2 for v/a
/// seconds. (Qt, qquickflickable.cpp.)
package struct QtFling: FlingModel {
    /// Flickable's `maximumFlickVelocity`, in px per second.
    private static let maximumVelocity = 2500.0

    /// Flickable's `flickDeceleration`, in px per second squared.
    private let deceleration: Double

    /// A fling with Qt's constants, and its deceleration times a brake.
    package init(brake: Double = 1) {
        deceleration = 1500 * brake
    }

    /// Returns a path of constant deceleration.
    package func curve(
        from start: Double, velocity: Double, viewportHeight: Double
    ) -> any FlingCurve {
        let velocity = min(max(velocity, -Self.maximumVelocity), Self.maximumVelocity)
        let way = velocity * abs(velocity) / (2 * deceleration)
        let rounded = (start + way).rounded() - start
        // A distance that rounding makes zero or reverses counts as none.
        guard rounded * velocity > 0 else { return Curve(velocity: 0, distance: 0) }
        return Curve(velocity: velocity, distance: rounded)
    }

    /// Returns the velocity plus a quarter for each flick in a row, up to three times the velocity.
    ///
    /// Only if the flick is faster than 1250 px/s, and the content longer than ten viewports; the
    /// maximum velocity limits the result, too.
    package func flywheelVelocity(_ velocity: Double, by flywheel: Flywheel) -> Double {
        guard velocity * flywheel.velocity > 0, abs(velocity) > 1250, flywheel.pages > 10 else {
            return velocity
        }
        return velocity * min(3, 1 + 0.25 * Double(flywheel.strokes))
    }

    private struct Curve: FlingCurve {
        let velocity: Double
        let distance: Double

        /// The duration at an average of half the release velocity.
        var duration: Double { velocity == 0 ? 0 : 2 * distance / velocity }

        func distance(at time: Double) -> Double {
            velocity * time * (1 - time / duration / 2)
        }

        func velocity(at time: Double) -> Double { velocity * (1 - time / duration) }
    }
}
