import IdleLoop

/// What is remembered of helpers that didn't get ready, so that they aren't started in a row.
struct StartTrouble {
    private(set) var failures = 0
    private(set) var last: IsolatedError.StartFailure?
    private var end = Instant.zero

    /// Why no helper is to be started now; nil if one may be.
    func reason(at now: Instant) -> IsolatedError.StartFailure? { now < end ? last : nil }

    mutating func add(
        _ failure: IsolatedError.StartFailure, at now: Instant,
        _ configuration: IsolatedDecoder.Configuration
    ) {
        failures += 1
        last = failure
        end = now.advanced(by: configuration.backoff(afterFailures: failures))
    }

    mutating func isOver() { self = StartTrouble() }
}
