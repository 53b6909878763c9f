/// One fling as a predictor follows it: its flight, and what will be learned of it.
struct FlightWatch: Sendable {
    private static let pointsKept = 64

    var flight: Flight
    /// The scroller's own target; until something else moves the list, it is believed.
    var hostTarget: Double?
    /// The release velocity by each estimator; empty if nothing is to be learned.
    let velocities: [Double]

    private let start: Double
    private var points: [(time: Double, offset: Double)] = []
    private var pace = 1
    private var frames = 0

    init(_ flight: Flight, hostTarget: Double?, velocities: [Double]) {
        self.flight = flight
        self.hostTarget = hostTarget
        self.velocities = velocities
        start = flight.fling.start
    }

    /// Takes in a frame.
    mutating func see(_ offset: Double, at time: Instant) -> Flight.Sight {
        let isNews = time > flight.last.time
        let sight = flight.see(offset, at: time)
        guard isNews else { return sight }
        if frames % pace == 0 { points.append(((time - flight.lift).inSeconds, offset)) }
        frames += 1
        if points.count == Self.pointsKept {
            points = stride(from: 0, to: points.count, by: 2).map { points[$0] }
            pace *= 2
        }
        if case .boosted = sight { hostTarget = nil }
        return sight
    }

    /// Returns what was seen of it, for a learner, once it rests where nothing bounds it.
    func observed() -> ObservedFling? {
        let landing = flight.last.offset
        guard !velocities.isEmpty, !points.isEmpty, isFree(landing) else { return nil }
        return ObservedFling(
            velocities: velocities, start: start,
            offsets: points + [((flight.last.time - flight.lift).inSeconds, landing)],
            viewportHeight: flight.limitHeight)
    }

    /// Whether an offset lies between the bounds, and not at one.
    func isFree(_ offset: Double) -> Bool {
        offset > flight.bounds.lowerBound && offset < flight.bounds.upperBound
    }
}
