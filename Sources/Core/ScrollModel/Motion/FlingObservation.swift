/// A fling that a predictor follows: its path, and the samples for a learner.
struct FlingObservation: Sendable {
    private static let pointsKept = 64

    var flight: FlingTracker
    /// The scroller's own target; it is used until something else moves the list.
    var hostTarget: Double?
    /// The release velocity by each estimator; empty if nothing is to be learned.
    let velocities: [Double]

    private let start: Double
    private var points: [(time: Double, offset: Double)] = []
    private var pace = 1
    private var frames = 0

    init(_ flight: FlingTracker, hostTarget: Double?, velocities: [Double]) {
        self.flight = flight
        self.hostTarget = hostTarget
        self.velocities = velocities
        start = flight.fling.start
    }

    /// Processes a frame.
    mutating func see(_ offset: Double, at time: Instant) -> FlingTracker.Observation {
        let isNews = time > flight.last.time
        let sight = flight.see(offset, at: time)
        guard isNews else { return sight }
        if frames % pace == 0 { points.append(((time - flight.lift).inSeconds, offset)) }
        frames += 1
        if points.count == Self.pointsKept {
            points = stride(from: 0, to: points.count, by: 2).map { points[$0] }
            pace *= 2
        }
        if case .accelerated = sight { hostTarget = nil }
        return sight
    }

    /// Returns the observed fling for a learner, once it rests at an offset that is not a bound.
    func observed() -> ObservedFling? {
        let landing = flight.last.offset
        guard !velocities.isEmpty, !points.isEmpty, isFree(landing) else { return nil }
        return ObservedFling(
            velocities: velocities, start: start,
            offsets: points + [((flight.last.time - flight.lift).inSeconds, landing)],
            viewportHeight: flight.limitHeight)
    }

    /// Returns whether an offset lies strictly between the bounds.
    func isFree(_ offset: Double) -> Bool {
        offset > flight.bounds.lowerBound && offset < flight.bounds.upperBound
    }
}
