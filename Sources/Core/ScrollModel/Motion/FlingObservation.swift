/// A fling that a predictor follows: its path, and the samples for a learner.
struct FlingObservation: Sendable {
    private static let pointsKept = 64

    private(set) var tracker: FlingTracker
    /// The release velocity by each estimator; empty if nothing is to be learned.
    private let velocities: [Double]

    private var start: Double
    private var points: [(time: Duration, offset: Double)] = []
    /// The number of frames for each point that is kept.
    private var interval = 1
    private var frames = 0

    init(_ tracker: FlingTracker, velocities: [Double]) {
        self.tracker = tracker
        self.velocities = velocities
        start = tracker.fling.start
    }

    /// Processes the list's offset and bounds at a frame.
    mutating func observe(
        _ offset: Double, within bounds: ClosedRange<Double>, at time: Instant
    ) -> FlingTracker.Observation {
        tracker.shift(within: bounds)
        let isNew = time > tracker.last.time
        let observation = tracker.observe(offset, at: time)
        guard isNew, !velocities.isEmpty else { return observation }
        if frames % interval == 0 { points.append((time - tracker.lift, offset)) }
        frames += 1
        if points.count == Self.pointsKept {
            points = stride(from: 0, to: points.count, by: 2).map { points[$0] }
            interval *= 2
        }
        return observation
    }

    /// Moves the fling along with a list whose offset has moved by `shift` px.
    mutating func shift(by shift: Double, within bounds: ClosedRange<Double>) {
        tracker.shift(by: shift, within: bounds)
        start += shift
        for index in points.indices { points[index].offset += shift }
    }

    /// The forecast at the last frame, or at the release.
    var forecast: FlingForecast {
        FlingForecast(
            target: tracker.target, velocity: tracker.fling.velocity, path: tracker.fling,
            elapsed: tracker.last.time - tracker.start)
    }

    /// The offset at which the list came to rest by itself; nil if it is stopped by a bound.
    var landing: Double? {
        let (landing, bounds) = (tracker.last.offset, tracker.bounds)
        return landing > bounds.lowerBound && landing < bounds.upperBound ? landing : nil
    }

    /// Returns the observed fling for a learner, once it rests at an offset that is not a bound.
    func observed() -> ObservedFling? {
        guard !velocities.isEmpty, !points.isEmpty, let landing else { return nil }
        return ObservedFling(
            velocities: velocities, start: start,
            offsets: points + [(tracker.last.time - tracker.lift, landing)],
            viewportHeight: tracker.limitHeight)
    }
}
