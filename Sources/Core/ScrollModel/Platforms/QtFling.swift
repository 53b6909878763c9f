/// Qt Quick's Flickable: a constant deceleration to a whole pixel.
///
/// The velocity is limited, the distance v²/(2a) leads to a target that is rounded to a whole px,
/// and the deceleration a is then corrected to end exactly there: x(t) = x₀ + v·t − a·t²/2 for v/a
/// seconds. (Qt, qquickflickable.cpp.)
package struct QtFling: FlingModel {
    private let deceleration: Double
    private let maximumVelocity: Double

    /// A fling with Qt's constants, or with others.
    ///
    /// - Parameters:
    ///   - deceleration: Flickable's `flickDeceleration`, in px per second squared.
    ///   - maximumVelocity: Flickable's `maximumFlickVelocity`, in px per second.
    /// - Precondition: both are positive.
    package init(deceleration: Double = 1500, maximumVelocity: Double = 2500) {
        precondition(deceleration > 0 && maximumVelocity > 0, "a fling's constants are positive")
        self.deceleration = deceleration
        self.maximumVelocity = maximumVelocity
    }

    /// Returns a path of constant deceleration.
    package func curve(
        from start: Double, velocity: Double, viewportHeight: Double
    ) -> any FlingCurve {
        let velocity = min(max(velocity, -maximumVelocity), maximumVelocity)
        let way = velocity * abs(velocity) / (2 * deceleration)
        let rounded = (start + way).rounded() - start
        // A distance that rounding makes zero or reverses counts as none.
        guard rounded * velocity > 0 else { return Curve(velocity: 0, distance: 0) }
        return Curve(velocity: velocity, distance: rounded)
    }

    /// Returns the velocity plus a quarter for each flick in a row, up to three times the velocity.
    ///
    /// Only if the flick is faster than 1250 px/s, and the content longer than ten viewports; the
    /// maximum velocity limits the boosted velocity, too.
    package func flywheelVelocity(_ velocity: Double, by flywheel: Flywheel) -> Double {
        guard velocity * flywheel.velocity > 0, abs(velocity) > 1250, flywheel.pages > 10 else {
            return velocity
        }
        return velocity * min(3, 1 + 0.25 * Double(flywheel.strokes))
    }
}

extension QtFling {
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
