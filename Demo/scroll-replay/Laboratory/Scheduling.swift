public import LullTesting

/// The strategy by which a replay schedules loads, numbered as in the model of replays.
public enum Scheduling: String, CaseIterable, Sendable {
    /// Whole jobs, started when nothing is due.
    case whole = "E0"
    /// Slices of at most 2 ms.
    case sliced = "E2"
    /// Loading in the frame in which a row appears, as simple lists do.
    case inFrame = "E5"
    /// Slices of at most 2 ms that also end when the next frame is due: this package's strategy.
    case lull = "E6"
}

extension ReplayOptions {
    /// Creates options for loads of these costs, scheduled by a strategy.
    public init(_ setting: Setting, _ scheduling: Scheduling) {
        self.init()
        cost = setting.cost
        latency = setting.latency
        schedule(by: scheduling)
    }

    /// Schedules loads by a strategy.
    public mutating func schedule(by scheduling: Scheduling) {
        slice = [.whole, .inFrame].contains(scheduling) ? nil : .milliseconds(2)
        endsSlicesWhenDue = scheduling == .lull
        loadsInFrame = scheduling == .inFrame
    }
}
