/// The times of the checks of all deadlines: one timer for all connections, and none without any.
struct DeadlineSweep {
    /// The time of the next check; nil if none is scheduled.
    private(set) var next: Duration?
    private var last: Duration = .zero
    /// The accuracy with which deadlines are kept.
    private let grain: Duration

    init(for limits: WebLimits) {
        grain = min(.milliseconds(250), limits.shortestTime / 4)
    }

    /// Schedules a check at a time, or a little later; returns its time, if the timer must be set.
    mutating func expect(_ time: Duration) -> Duration? {
        let time = max(time, last + grain)
        guard next.map({ time < $0 }) ?? true else { return nil }
        next = time
        return time
    }

    /// Cancels the check, as there are no connections.
    mutating func cancel() {
        next = nil
    }

    /// Begins a check; returns whether it is so late that clients didn't have their time: the process
    /// was suspended, or the loop blocked.
    mutating func begin(at now: Duration) -> Bool {
        defer { (next, last) = (nil, now) }
        return now - (next ?? now) > .seconds(1)
    }
}
