/// What something is expected to cost, learned from what it has cost: the mean and the mean
/// deviation from it, each three parts old and one part new.
///
/// The weights are those of the round-trip times of TCP (RFC 6298 has ⅞ and ¾) and of
/// RecyclerView's and Compose's prefetchers, whose mean alone is too low half of the time.
struct CostEstimate: Sendable {
    private var mean: Int64 = 0
    private var deviation: Int64 = 0
    private(set) var isKnown = false

    /// The mean and the mean deviation, nil before the first was measured.
    var expected: Duration? { nanoseconds.map { .nanoseconds($0) } }

    /// The same, in nanoseconds.
    var nanoseconds: Int64? {
        guard isKnown else { return nil }
        let (sum, overflow) = mean.addingReportingOverflow(deviation)
        return overflow ? .max : sum
    }

    /// Takes note of one more, in nanoseconds.
    mutating func learn(_ cost: Int64) {
        guard isKnown else {
            isKnown = true
            mean = cost
            return
        }
        // The quotients first: the sum of four great ones would overflow.
        deviation = deviation - deviation / 4 + abs(cost - mean) / 4
        mean = mean - mean / 4 + cost / 4
    }
}
