/// Qt Quick's Flickable: a constant brake to a whole pixel.
///
/// The velocity is limited, the way v²/(2a) leads to a target that is rounded to a whole px, and
/// the brake a is then corrected to end exactly there: x(t) = x₀ + v·t − a·t²/2 for v/a seconds.
/// (Qt, qquickflickable.cpp.)
package struct QtFling: FlingModel {
    private let deceleration: Double
    private let maximumVelocity: Double

    /// A fling by Qt's constants, or by others.
    ///
    /// - Parameters:
    ///   - deceleration: Flickable's `flickDeceleration`, in px per second squared.
    ///   - maximumVelocity: its `maximumFlickVelocity`, in px per second.
    /// - Precondition: both are positive.
    package init(deceleration: Double = 1500, maximumVelocity: Double = 2500) {
        precondition(deceleration > 0 && maximumVelocity > 0, "a fling's constants are positive")
        self.deceleration = deceleration
        self.maximumVelocity = maximumVelocity
    }

    /// Returns a path that slows down evenly.
    package func curve(
        from start: Double, velocity: Double, viewportHeight: Double
    ) -> any FlingCurve {
        let velocity = min(max(velocity, -maximumVelocity), maximumVelocity)
        let way = velocity * abs(velocity) / (2 * deceleration)
        let rounded = (start + way).rounded() - start
        // A way that rounding turns round, or leaves empty, is none.
        guard rounded * velocity > 0 else { return Curve(velocity: 0, distance: 0) }
        return Curve(velocity: velocity, distance: rounded)
    }

    /// A quarter more for each flick in a row, three times the velocity at most.
    ///
    /// Only if the flick is faster than 1250 px/s, and the content longer than ten viewports; the
    /// greatest velocity holds for the boosted one, too.
    package func boosted(_ velocity: Double, by train: FlingTrain) -> Double {
        guard velocity * train.velocity > 0, abs(velocity) > 1250, train.pages > 10 else {
            return velocity
        }
        return velocity * min(3, 1 + 0.25 * Double(train.strokes))
    }
}

extension QtFling {
    private struct Curve: FlingCurve {
        let velocity: Double
        let distance: Double

        /// Half of the release velocity, on average.
        var duration: Double { velocity == 0 ? 0 : 2 * distance / velocity }

        func distance(at time: Double) -> Double {
            velocity * time * (1 - time / duration / 2)
        }

        func velocity(at time: Double) -> Double { velocity * (1 - time / duration) }
    }
}
