internal import LullLibC

/// A fling that loses the same share of its speed per unit of time: exponential decay.
///
/// v(t) = v₀·kᵗ, x(t) = x₀ + v₀·(kᵗ − 1)/ln k, where k is the share of the speed that is left after
/// a second; the list comes to rest at a distance of v₀/(−ln k), in theory after an infinite time.
/// (Flutter's FrictionSimulation; UIKit's deceleration rates, where k is the rate to the power of
/// 1000, as in WWDC 2018, session 803.)
package struct ExponentialFling: FlingModel {
    /// The velocity, in px per second, below which the path ends; the last `restVelocity` / −ln k
    /// px, half a pixel with UIKit's normal rate, are skipped.
    private static let restVelocity = 1.0

    /// The natural logarithm of the share of speed left after a second; negative.
    private let decay: Double

    /// A fling with the given share of speed left after each second.
    ///
    /// - Precondition: 0 < `keptPerSecond` < 1.
    package init(keptPerSecond: Double) {
        precondition(keptPerSecond > 0 && keptPerSecond < 1, "a share of the speed is lost")
        decay = log(keptPerSecond)
    }

    /// A fling with the given share of speed left after each millisecond, as in UIKit, and with its
    /// exponent multiplied by `brake`.
    ///
    /// UIKit's normal rate of 0.998 gives 0.4995 px for each px/s, the fast rate of 0.99 gives
    /// 0.0995 px.
    init(keptPerMillisecond rate: Double, brake: Double) {
        self.init(keptPerSecond: pow(rate, 1000 * brake))
    }

    /// Returns a path that approaches its end ever more slowly.
    package func curve(
        from start: Double, velocity: Double, viewportHeight: Double
    ) -> any FlingCurve {
        let slowing = log(max(1, abs(velocity) / Self.restVelocity))
        return Curve(velocity: velocity, decay: decay, duration: slowing / -decay)
    }

    /// Returns the new velocity plus a part of the running one, which grows with that: UIKit's
    /// carried momentum.
    ///
    /// Nothing is added to a stroke that isn't at least half as fast as that part. (Flutter,
    /// BouncingScrollPhysics.carriedMomentum, fitted to lists on iOS.)
    package func flywheelVelocity(_ velocity: Double, by flywheel: Flywheel) -> Double {
        let old = flywheel.velocity
        let carried = min(0.000816 * pow(abs(old), 1.967), 40_000)
        guard velocity * old > 0, abs(velocity) > carried / 2 else { return velocity }
        return velocity + (old < 0 ? -carried : carried)
    }

    /// The time after which UIKit's carried momentum is lost.
    package var longestPause: Duration { .milliseconds(20) }

    private struct Curve: FlingCurve {
        let velocity: Double
        let decay: Double
        let duration: Double

        var distance: Double { velocity / -decay }

        func distance(at time: Double) -> Double { velocity * expm1(decay * time) / decay }

        func velocity(at time: Double) -> Double { velocity * exp(decay * time) }
    }
}
