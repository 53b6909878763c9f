internal import IdleLoop

/// A converter from a page's clock to the loop's.
///
/// A report is never here before what it tells of has happened; the one that came soonest after it
/// says how the clocks stand to each other, and what came later was only longer on its way.
struct PageClock {
    /// The rate at which the estimate may move away from the quickest report, as clocks differ.
    private static let drift = 200e-6
    /// The delay in s beyond which a report comes from a page that slept, or a loop that did.
    private static let sleep = 2.0

    private var lead: Double?
    private var noted = 0.0
    private var latest = Instant.zero

    /// Takes in a report whose last event was at `time`, in ms.
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

    /// Returns when something happened, which is never before what was asked about before.
    mutating func moment(of time: Double, by arrival: Instant) -> Instant {
        let seconds = max(0, (lead ?? 0) + time / 1000)
        let moment = Instant(nanoseconds: Int64(min(seconds * 1e9, 9e18)))
        latest = max(latest, min(moment, arrival))
        return latest
    }
}
