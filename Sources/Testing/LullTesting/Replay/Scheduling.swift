internal import IdleLoop

/// The strategy by which a replay schedules loads, numbered as in the model of replays.
public enum Scheduling: String, CaseIterable, Sendable {
    /// Whole jobs, started when nothing is due.
    case whole = "E0"
    /// Whole jobs, started if they are expected to end before the next frame is due.
    case fitting = "E1"
    /// Slices of at most 2 ms.
    case sliced = "E2"
    /// Slices of at most 2 ms, started if they end before the next frame is due.
    case slicedFitting = "E3"
    /// One whole job in each tenth of a second, and none while a finger is down.
    case paced = "E4"
    /// Loading in the frame in which a row appears, as simple lists do.
    case inFrame = "E5"
    /// Slices of at most 2 ms that also end when the next frame is due: this package's strategy.
    case lull = "E6"

    /// The configuration of the queue.
    public var configuration: (slice: Duration?, endsSlicesWhenDue: Bool) {
        switch self {
        case .whole, .fitting, .paced, .inFrame: (nil, false)
        case .sliced, .slicedFitting: (.milliseconds(2), false)
        case .lull: (.milliseconds(2), true)
        }
    }

    /// Whether an `EngineGate` may hold work back.
    var isGated: Bool {
        switch self {
        case .fitting, .slicedFitting, .paced: true
        case .whole, .sliced, .inFrame, .lull: false
        }
    }
}
