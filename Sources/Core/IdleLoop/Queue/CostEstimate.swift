/// An estimate of a cost, learned from measured costs.
///
/// It's the sum of the mean and the mean deviation, each of them an exponential average of three
/// parts old and one part new. The method is that of TCP's round-trip times (RFC 6298 has ⅞ and ¾);
/// the weights are also those of RecyclerView's and Compose's prefetchers, whose mean alone is too
/// low half of the time.
struct CostEstimate: Sendable {
    private var mean: Int64 = 0
    private var deviation: Int64 = 0
    private(set) var isKnown = false

    /// The mean plus the mean deviation; nil before the first measurement.
    var expected: Duration? { nanoseconds.map { .nanoseconds($0) } }

    /// The expected cost in nanoseconds.
    var nanoseconds: Int64? {
        guard isKnown else { return nil }
        let (sum, overflow) = mean.addingReportingOverflow(deviation)
        return overflow ? .max : sum
    }

    /// Adds a measurement, in nanoseconds.
    mutating func learn(_ cost: Int64) {
        guard isKnown else {
            isKnown = true
            mean = cost
            return
        }
        // Divides first: the sum of four large costs would overflow.
        deviation = deviation - deviation / 4 + abs(cost - mean) / 4
        mean = mean - mean / 4 + cost / 4
    }
}
