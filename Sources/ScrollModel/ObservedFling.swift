/// A fling that was seen from its release to its rest: what ``FlingLearner`` learns from.
package struct ObservedFling: Sendable {
    /// The offset at the release, in px.
    let start: Double

    /// Where the list came to rest, in px.
    let landing: Double

    /// The release velocity as each of ``FlingLearner``'s estimators gives it, in px per second.
    let velocities: [Double]

    /// The height of the window, in px.
    let viewportHeight: Double

    /// Some points of the way: seconds since the release, and shares of the way, which is 1 at
    /// the rest.
    let points: [(time: Double, share: Double)]

    /// A fling that began where the finger of this tracker was lifted at `time`.
    ///
    /// - Parameters:
    ///   - tracker: has seen the finger; positions grow downwards.
    ///   - time: when it was lifted.
    ///   - start: the offset then, in px.
    ///   - offsets: where the list was at later frames, in order, the last at rest; times count
    ///     from the release.
    ///   - viewportHeight: the window's height in px.
    /// - Precondition: all offsets are finite, and there is one at least.
    package init(
        of tracker: VelocityTracker, liftedAt time: Instant, from start: Double,
        through offsets: [(time: Duration, offset: Double)], viewportHeight: Double
    ) {
        self.init(
            velocities: FlingLearner.estimators.map { -tracker.velocity(at: time, by: $0) },
            start: start, offsets: offsets.map { ($0.time.inSeconds, $0.offset) },
            viewportHeight: viewportHeight)
    }

    init(
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

    /// How far the list went, in px; negative upwards.
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
