internal import Glibc

/// Flutter's picture of iOS: drag in the content, springs at its ends, momentum from stroke to
/// stroke.
///
/// v(t) = v₀·kᵗ − c·t, where k is the share of the speed that is left after a second and c a
/// constant brake, zero but on desktops. A stroke that follows another carries on some of its
/// momentum, 0.000816·|v|^1.967 px/s and at most 40 000, if it goes the same way, is faster than
/// half of what it gets, and held the list for no longer than 20 ms. (Flutter,
/// physics/friction_simulation.dart, widgets/scroll_physics.dart and scroll_activity.dart.)
public struct BouncingFling: FlingModel {
    /// Flutter's for iOS.
    public static let flutter = BouncingFling()
    /// Flutter's for desktops: with a constant brake, and harder springs.
    public static let flutterFast = BouncingFling(brake: 1400, edge: .spring(.bouncingFast))
    /// With UIKit's normal deceleration, to which Flutter's comes near.
    public static let iOS = BouncingFling(keptPerSecond: pow(0.998, 1000))

    private let decay: Double
    private let brake: Double
    private let restVelocity: Double
    private let edge: FlingEdge
    private let momentum: Momentum

    /// What a stroke keeps of the one before it.
    private struct Momentum: Sendable {
        var factor = 0.000816
        var power = 1.967
        var limit = 40_000.0
        var share = 0.5
    }

    /// A fling by Flutter's constants, or by others.
    ///
    /// - Parameters:
    ///   - keptPerSecond: the share of the speed that is left after each second.
    ///   - brake: a constant deceleration, in px per second squared.
    ///   - restVelocity: the velocity at rest, in px per second.
    ///   - edge: what happens at the ends.
    /// - Precondition: `keptPerSecond` lies between 0 and 1, `brake` is finite and not negative,
    ///   `restVelocity` is positive.
    public init(
        keptPerSecond: Double = 0.135, brake: Double = 0, restVelocity: Double = 1,
        edge: FlingEdge = .spring(.bouncing)
    ) {
        precondition(keptPerSecond > 0 && keptPerSecond < 1, "a share of the speed is lost")
        precondition(brake >= 0 && brake.isFinite, "a brake is finite, zero or more")
        precondition(restVelocity > 0, "only eternity brings an exponential to a velocity of zero")
        decay = log(keptPerSecond)
        self.brake = brake
        self.restVelocity = restVelocity
        self.edge = edge
        momentum = Momentum()
    }

    /// A path that nears its end ever more slowly, or is braked there.
    public func fling(
        from offset: Double, velocity: Double, bounds: ClosedRange<Double>, viewportHeight: Double
    ) -> Fling {
        Fling(
            from: offset, velocity: velocity, within: bounds, viewportHeight: viewportHeight,
            edge: edge
        ) { _ in
            Curve(
                velocity: velocity, decay: decay, brake: velocity < 0 ? -brake : brake,
                restVelocity: restVelocity)
        }
    }

    /// The new velocity and the momentum that the caught fling carries over.
    public func boosted(_ velocity: Double, by running: Fling, after elapsed: Duration) -> Double {
        let old = running.velocity(at: elapsed)
        let carried = min(momentum.factor * pow(abs(old), momentum.power), momentum.limit)
        guard velocity * old > 0, abs(velocity) > momentum.share * carried else { return velocity }
        return velocity + (old < 0 ? -carried : carried)
    }

    /// Momentum is lost after 20 ms.
    public var longestHold: Duration { .milliseconds(20) }
}

extension BouncingFling {
    private struct Curve: FlingCurve {
        let velocity: Double
        let decay: Double
        let brake: Double
        let duration: Double
        let distance: Double

        init(velocity: Double, decay: Double, brake: Double, restVelocity: Double) {
            self.velocity = velocity
            self.decay = decay
            self.brake = brake
            guard brake != 0 else {
                duration = log(max(1, abs(velocity) / restVelocity)) / -decay
                distance = velocity / -decay
                return
            }
            // The root of the velocity, by Newton: convex and falling, so it nears from below.
            var time = 0.0
            for _ in 0..<10 {
                let fall = velocity * decay * exp(decay * time) - brake
                time -= (velocity * exp(decay * time) - brake * time) / fall
            }
            duration = max(0, time)
            distance = velocity * expm1(decay * time) / decay - brake * time * time / 2
        }

        func distance(at time: Double) -> Double {
            velocity * expm1(decay * time) / decay - brake * time * time / 2
        }

        func velocity(at time: Double) -> Double {
            velocity * exp(decay * time) - brake * time
        }
    }
}
