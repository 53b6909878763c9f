internal import DeferredLoading
import IdleLoop
import ImageLoading

/// The backoff after helpers failed to become ready.
struct StartBackoff {
    private var failures = 0
    private var last: IsolatedError.HelperFailure?
    private var end = Instant.zero

    /// Returns the failure because of which no helper may be started now; nil if one may be.
    func reason(at now: Instant) -> IsolatedError.HelperFailure? { now < end ? last : nil }

    mutating func add(
        _ failure: IsolatedError.HelperFailure, at now: Instant, _ times: ClosedRange<Duration>
    ) {
        failures += 1
        last = failure
        let backoff = Backoff(first: times.lowerBound, longest: times.upperBound)
        end = now.advanced(by: backoff.bound(afterFailures: failures))
    }
}
