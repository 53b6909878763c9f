/// A fling that was seen from its release to its rest: what ``FlingLearner`` learns from.
package struct ObservedFling: Sendable {
    /// The offset at the release, in px.
    let start: Double

    /// The offset at which the list came to rest, in px.
    let landing: Double

    /// The release velocity as each of ``FlingLearner``'s estimators gives it, in px per second.
    let velocities: [Double]

    /// The height of the window, in px.
    let viewportHeight: Double

    /// Some points of the way: seconds since the release, and shares of the way, which is 1 at
    /// the rest.
    let points: [(time: Double, share: Double)]

    /// A fling that was released with these velocities.
    ///
    /// - Parameters:
    ///   - velocities: the release velocity by each estimator, in px per second.
    ///   - start: the offset then, in px.
    ///   - offsets: where the list was at later frames, in order, the last at rest; times are seconds
    ///     from the release.
    ///   - viewportHeight: the window's height in px.
    /// - Precondition: all offsets are finite, and there is one at least.
    package init(
        velocities: [Double], start: Double, offsets: [(time: Double, offset: Double)],
        viewportHeight: Double
    ) {
        precondition(!offsets.isEmpty, "a fling that was seen has an end")
        precondition(
            start.isFinite && offsets.allSatisfy { $0.offset.isFinite }, "an offset is finite")
        let landing = offsets[offsets.count - 1].offset
        let way = landing - start
        let pace = max(1, offsets.count / Self.pointsKept)
        self.velocities = velocities
        self.start = start
        self.landing = landing
        self.viewportHeight = viewportHeight
        points =
            way == 0
            ? []
            : stride(from: 0, to: offsets.count, by: pace).prefix(Self.pointsKept).map {
                (offsets[$0].time, (offsets[$0].offset - start) / way)
            }
    }

    private static let pointsKept = 8

    /// The distance that the list went, in px; negative upwards.
    var way: Double { landing - start }

    /// The logarithm of how many times too far a scroller's fling goes, and how far its points
    /// lie off the way on average, in shares of it.
    func miss(by scroller: Scroller, velocity: Double) -> (landing: Double, path: Double) {
        let fling = scroller.fling(
            from: start, velocity: velocity, viewportHeight: viewportHeight)
        let reach = fling.unclampedTarget - start
        guard reach * way > 0 else { return (way < 0 ? 3 : -3, 1) }
        let off = points.reduce(0) {
            let share = (fling.offset(at: .rounding(seconds: $1.time)) - start) / reach
            return $0 + abs(share - $1.share)
        }
        return (
            FlingLearner.logarithm(of: reach, to: way), off / Double(max(1, points.count))
        )
    }
}
