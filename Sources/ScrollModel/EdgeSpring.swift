internal import Glibc

/// A spring that pulls a list back to its end: m·x″ + c·x′ + k·x = 0.
///
/// (Flutter, physics/spring_simulation.dart; GTK, gtkkineticscrolling.c, whose overshoot is a
/// critically damped one. GTK compares the way out with the content's bounds, so that its limit
/// holds at the top only, and Flutter's limit of the velocity holds downwards only; here both
/// ends are alike.)
package struct EdgeSpring: Sendable, Equatable {
    /// What Flutter uses for iOS.
    package static let bouncing = EdgeSpring(
        mass: 0.5, stiffness: 100, dampingRatio: 1.1, maximumVelocity: 5000)
    /// GTK's: a resistance of 20 per second, and 50 px at most.
    package static let gtk = EdgeSpring(
        mass: 1, stiffness: 100, dampingRatio: 1, limit: 50, restDistance: 0.1,
        restVelocity: .infinity)

    private let mass: Double
    private let stiffness: Double
    private let dampingRatio: Double
    private let limit: Double
    private let maximumVelocity: Double
    private let rest: Rest

    private struct Rest: Equatable {
        let distance: Double
        let velocity: Double
    }

    /// A spring of the given make.
    ///
    /// - Parameters:
    ///   - mass: what the spring moves.
    ///   - stiffness: the pull for each px.
    ///   - dampingRatio: 1 just doesn't swing; less swings, more creeps.
    ///   - limit: the farthest way out, in px; there the list starts back from a standstill.
    ///   - maximumVelocity: the fastest the list may meet its end, in px per second.
    ///   - restDistance: it is back when nearer than this, in px,
    ///   - restVelocity: and slower than this, in px per second.
    /// - Precondition: all are positive.
    package init(
        mass: Double, stiffness: Double, dampingRatio: Double, limit: Double = .infinity,
        maximumVelocity: Double = .infinity, restDistance: Double = 1, restVelocity: Double = 20
    ) {
        precondition(
            arePositive(
                mass, stiffness, dampingRatio, limit, maximumVelocity, restDistance, restVelocity),
            "a spring's constants are positive")
        self.mass = mass
        self.stiffness = stiffness
        self.dampingRatio = dampingRatio
        self.limit = limit
        self.maximumVelocity = maximumVelocity
        rest = Rest(distance: restDistance, velocity: restVelocity)
    }

    func motion(velocity: Double) -> any EdgeMotion {
        let speed = min(max(velocity, -maximumVelocity), maximumVelocity)
        let frequency = (stiffness / mass).squareRoot()
        let out = Swing(start: 0, velocity: speed, frequency: frequency, ratio: dampingRatio)
        guard let time = out.time(reaching: limit) else {
            return Motion(out: out, back: nil, turn: .infinity, rest: rest)
        }
        let edge = speed < 0 ? -limit : limit
        let back = Swing(start: edge, velocity: 0, frequency: frequency, ratio: dampingRatio)
        return Motion(out: out, back: back, turn: time, rest: rest)
    }

    private struct Motion: EdgeMotion {
        let out: Swing
        let back: Swing?
        let turn: Double
        let duration: Double

        init(out: Swing, back: Swing?, turn: Double, rest: Rest) {
            self.out = out
            self.back = back
            self.turn = turn
            let last = (back ?? out).time(within: rest.distance, slowerThan: rest.velocity)
            duration = back == nil ? last : turn + last
        }

        func overscroll(at time: Double) -> Double {
            if time >= duration { return 0 }
            if let back, time >= turn { return back.position(at: time - turn) }
            return out.position(at: time)
        }
    }
}
