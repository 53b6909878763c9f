internal import LullLibC

/// A fling that was observed from its release to its landing, as input of a ``FlingLearner``.
package struct ObservedFling: Sendable {
    /// The offset at the release, in px.
    let start: Double

    /// The offset at which the list came to rest, in px.
    private let landing: Double

    /// The release velocity as each of ``FlingLearner``'s estimators gives it, in px per second.
    let velocities: [Double]

    /// The height of the viewport, in px.
    let viewportHeight: Double

    /// Some points of the path: the time since the release, and the share of the distance, which is
    /// 1 at the landing.
    private let points: [(time: Duration, share: Double)]

    /// A fling that was released with these velocities.
    ///
    /// - Parameters:
    ///   - velocities: the release velocity by each estimator, in px per second.
    ///   - start: the offset at the release, in px.
    ///   - offsets: the list's offsets at later frames, in order, the last at rest; times are
    ///     counted from the release.
    ///   - viewportHeight: the viewport's height in px.
    /// - Precondition: all offsets are finite, and there is at least one.
    package init(
        velocities: [Double], start: Double, offsets: [(time: Duration, offset: Double)],
        viewportHeight: Double
    ) {
        precondition(!offsets.isEmpty, "a fling that was seen has an end")
        precondition(
            start.isFinite && offsets.allSatisfy { $0.offset.isFinite }, "an offset is finite")
        let landing = offsets[offsets.count - 1].offset
        let way = landing - start
        let interval = max(1, offsets.count / Self.pointsKept)
        self.velocities = velocities
        self.start = start
        self.landing = landing
        self.viewportHeight = viewportHeight
        points =
            way == 0
            ? []
            : stride(from: 0, to: offsets.count, by: interval).prefix(Self.pointsKept).map {
                (offsets[$0].time, (offsets[$0].offset - start) / way)
            }
    }

    private static let pointsKept = 8

    /// The distance that the list moved, in px; negative upwards.
    var way: Double { landing - start }

    /// Returns the logarithm of the ratio of a scroller's distance to the real one, and the mean
    /// deviation of its points from the path, as a share of the distance.
    func residuals(of scroller: Scroller, velocity: Double) -> (landing: Double, path: Double) {
        let fling = scroller.fling(
            from: start, velocity: velocity, viewportHeight: viewportHeight)
        let reach = fling.unclampedTarget - start
        guard reach * way > 0 else { return (way < 0 ? 3 : -3, 1) }
        let deviation = points.reduce(0) {
            let share = (fling.offset(at: $1.time) - start) / reach
            return $0 + abs(share - $1.share)
        }
        return (
            FlingLearner.logarithm(of: reach, to: way), deviation / Double(max(1, points.count))
        )
    }
}
