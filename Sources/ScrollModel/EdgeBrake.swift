/// A brake beyond a list's end, and a way back of cubic ease.
///
/// The list brakes evenly, so hard that it goes no farther than the limit, and then returns by
/// 3u² − 2u³. (AOSP, android/widget/OverScroller.java, states BALLISTIC and CUBIC. Qt Quick's
/// Flickable brakes the same way, eight times as hard as in a flick, and eases back by other
/// curves in about the same time.)
package struct EdgeBrake: Sendable, Equatable {
    private let deceleration: Double
    private let limit: Double
    private let limitSeconds: Double
    private let returnDuration: Double?

    /// Android's for a list that may go `limit` px beyond its end: 2000 px/s², and back by the same.
    ///
    /// - Precondition: the limit is positive.
    package static func android(limit: Double) -> EdgeBrake {
        EdgeBrake(deceleration: 2000, limit: limit)
    }

    /// Qt Quick's: eight times a flick's deceleration of 1500 px/s², at most 150 px and at most as
    /// far as the list would go in a third of a second; back in 0.4 s.
    package static let qt = EdgeBrake(
        deceleration: 8 * 1500, limit: 150, limitSeconds: 1.0 / 3, returnDuration: 0.4)

    /// A brake of the given make.
    ///
    /// - Parameters:
    ///   - deceleration: how hard it brakes, in px per second squared, unless the limit asks for
    ///     more.
    ///   - limit: the farthest way out, in px.
    ///   - limitSeconds: another limit, as the time in which the list would go as far unbraked.
    ///   - returnDuration: the time back in seconds; nil if it takes as long as a fall of this way
    ///     by the same deceleration.
    /// - Precondition: all are positive.
    package init(
        deceleration: Double, limit: Double, limitSeconds: Double = .infinity,
        returnDuration: Double? = nil
    ) {
        precondition(
            arePositive(deceleration, limit, limitSeconds, returnDuration ?? 1),
            "a brake's constants are positive")
        self.deceleration = deceleration
        self.limit = limit
        self.limitSeconds = limitSeconds
        self.returnDuration = returnDuration
    }

    func motion(velocity: Double) -> any EdgeMotion {
        let speed = abs(velocity)
        let way = min(speed * speed / (2 * deceleration), limit, speed * limitSeconds)
        return Motion(
            velocity: velocity, way: velocity < 0 ? -way : way,
            back: returnDuration ?? (2 * way / deceleration).squareRoot())
    }

    private struct Motion: EdgeMotion {
        let velocity: Double
        let way: Double
        let back: Double

        /// At half the velocity, on average.
        var out: Double { 2 * way / velocity }

        var duration: Double { out + back }

        func overscroll(at time: Double) -> Double {
            if time >= duration { return 0 }
            if time < out { return velocity * time * (1 - time / out / 2) }
            let u = (time - out) / back
            return way * (1 - u * u * (3 - 2 * u))
        }
    }
}
