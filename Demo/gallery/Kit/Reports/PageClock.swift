internal import IdleLoop

/// A conversion from a page's clock to the loop's.
///
/// A report never arrives before its events have happened. The report with the shortest delay
/// therefore gives the best estimate of the clocks' difference; the others were only longer on
/// their way.
struct PageClock {
    /// The maximum rate at which the estimate drifts away from the quickest report, as clocks
    /// differ.
    private static let drift = 200e-6
    /// The delay in s above which the page or the loop must have been suspended.
    private static let sleep = 2.0

    private var lead: Double?
    private var noted = 0.0
    private var latest = Instant.zero

    /// Records a report whose last event was at `time`, in ms.
    mutating func note(_ time: Double, arrival: Instant) {
        let arrival = Double(arrival.nanoseconds) / 1e9
        let found = arrival - time / 1000
        if let old = lead {
            let known = old + (arrival - noted) * Self.drift
            lead = found - known > Self.sleep ? found : min(found, known)
        } else {
            lead = found
        }
        noted = arrival
    }

    /// Returns the time of an event on the loop's clock, which never decreases from call to call.
    mutating func moment(of time: Double, by arrival: Instant) -> Instant {
        let seconds = max(0, (lead ?? 0) + time / 1000)
        let moment = Instant(nanoseconds: Int64(min(seconds * 1e9, 9e18)))
        latest = max(latest, min(moment, arrival))
        return latest
    }
}
