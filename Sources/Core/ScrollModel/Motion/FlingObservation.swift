/// A fling that a predictor follows: its path, and the samples for a learner.
struct FlingObservation: Sendable {
    private static let pointsKept = 64

    private(set) var tracker: FlingTracker
    /// The scroller's own target; it is used until something else moves the list.
    private var hostTarget: Double?
    /// The release velocity by each estimator; empty if nothing is to be learned.
    private let velocities: [Double]

    private let start: Double
    private var points: [(time: Duration, offset: Double)] = []
    /// The number of frames for each point that is kept.
    private var interval = 1
    private var frames = 0

    init(_ tracker: FlingTracker, hostTarget: Double?, velocities: [Double]) {
        self.tracker = tracker
        self.hostTarget = hostTarget
        self.velocities = velocities
        start = tracker.fling.start
    }

    /// Processes the list's offset and bounds at a frame.
    mutating func observe(
        _ offset: Double, within bounds: ClosedRange<Double>, at time: Instant
    ) -> FlingTracker.Observation {
        tracker.updateBounds(to: bounds)
        let isNew = time > tracker.last.time
        let observation = tracker.observe(offset, at: time)
        if isNew, case .accelerated = observation { hostTarget = nil }
        guard isNew, !velocities.isEmpty else { return observation }
        if frames % interval == 0 { points.append((time - tracker.lift, offset)) }
        frames += 1
        if points.count == Self.pointsKept {
            points = stride(from: 0, to: points.count, by: 2).map { points[$0] }
            interval *= 2
        }
        return observation
    }

    /// The forecast at the last frame, or at the release.
    var forecast: FlingForecast {
        FlingForecast(
            target: hostTarget ?? tracker.target, velocity: tracker.fling.velocity,
            path: hostTarget == nil ? tracker.fling : nil,
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
