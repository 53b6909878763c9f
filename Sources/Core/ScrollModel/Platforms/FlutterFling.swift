internal import LullLibC

/// Flutter's clamping fling: Android's distance, on a path that depends on the speed alone.
///
/// With D = 2.358, x(t) = x₀ + s·(1 − (1 − t/T)ᴰ) for a distance of s = v·T/D; T is about 0.83 of
/// Android's duration. A fling that is stopped at any point and restarted with its speed there
/// follows the rest of the same path. (Flutter, scroll_simulation.dart, ClampingScrollSimulation.)
package struct FlutterFling: FlingModel {
    private let law: AndroidFriction

    /// A fling with Flutter's constants, and its friction times a brake.
    package init(brake: Double = 1) {
        law = AndroidFriction(brake: brake)
    }

    /// Returns a path that is the last part of any faster one.
    package func curve(
        from start: Double, velocity: Double, viewportHeight: Double
    ) -> any FlingCurve {
        let limit = AndroidFriction.maximumVelocity
        let velocity = min(max(velocity, -limit), limit)
        let duration = law.rate * AndroidFriction.inflexion * law.duration(speed: abs(velocity))
        return Curve(velocity: velocity, duration: duration, rate: law.rate)
    }

    private struct Curve: FlingCurve {
        let velocity: Double
        let duration: Double
        let rate: Double

        var distance: Double { velocity * duration / rate }

        func distance(at time: Double) -> Double {
            distance * (1 - pow(1 - time / duration, rate))
        }

        func velocity(at time: Double) -> Double {
            velocity * pow(1 - time / duration, rate - 1)
        }
    }
}
