import IdleLoop
import ImageLoading

/// The failures of helpers to get ready for a picture, so that they aren't started in a row.
struct StartTrouble {
    private var failures = 0
    private var last: IsolatedError.HelperFailure?
    private var end = Instant.zero

    /// Returns why no helper is to be started now; nil if one may be.
    func reason(at now: Instant) -> IsolatedError.HelperFailure? { now < end ? last : nil }

    mutating func add(
        _ failure: IsolatedError.HelperFailure, at now: Instant, _ times: FailureMemory.Times
    ) {
        failures += 1
        last = failure
        end = now.advanced(by: times.after(failures))
    }
}
