internal import LullLibC

/// What work costs by its kind, learned from what was done: the one estimator of jobs, loads, fetches
/// and pictures.
///
/// ```swift
/// var costs = CostEstimator()
/// costs.learn(.milliseconds(16), of: "page")
/// costs.learn(.milliseconds(1), of: "thumbnail")
/// costs.expected(of: "page")?.mean  // somewhat less than 16 ms
/// ```
///
/// The expected cost is a mean of what the kind has cost and of what all have, weighted by n and k,
/// where n is the number of times that the kind was seen, and k the variance of costs within a kind
/// divided by that between kinds, as far as it is known (Bühlmann's credibility, an empirical Bayes
/// estimate: "Experience rating and credibility", 1967). So kinds that differ much are told apart at
/// once, and those that say nothing about costs don't matter.
///
/// The variances are mean squares of errors that were made: of a kind's expected cost, and of
/// the expected cost of all. All calls are O(1), and a question allocates nothing. A table of 128
/// kinds is allocated when the first is learned; a new kind replaces the one of the four in its place
/// that was learned least recently.
package struct CostEstimator: Sendable {
    private struct Entry {
        let number: Int
        var line = CostLine()
        /// The number of costs that were learned when its last one was.
        var time = 0
    }

    private static let ways = 4
    private static let sets = 32

    private var all = CostLine()
    private var entries: [Entry?] = []
    private var time = 0
    /// The mean squares of errors: within kinds, without regard to kinds, and without regard to kinds
    /// and sizes; and the number of them.
    private var within = 0.0
    private var total = 0.0
    private var plain = 0.0
    private var errors = 0
    /// The number of times that a kind was seen at which it counts as much as all kinds do.
    private var parity = 1.0
    /// Whether kinds and sizes tell costs so well that a plan may rely on them: they explain half of
    /// the variance, or a cost is within a quarter of what is expected.
    package private(set) var isReliable = false

    /// Costs of which none is known.
    package init() {}

    /// The expected cost of work of which nothing is known; nil before anything was learned.
    package var usual: CostEstimate? {
        all.count == 0 ? nil : all.estimate()
    }

    /// Returns the expected cost of work of a kind; nil if none of its kind was seen, and no size
    /// tells more than the mean of all.
    package func expected(of kind: WorkKind) -> CostEstimate? {
        guard !entries.isEmpty else { return nil }
        guard let place = place(of: kind.number), let line = entries[place]?.line else {
            return kind.size == nil ? nil : all.estimate(ofSize: kind.size)
        }
        let common = all.cost(ofSize: kind.size)
        let share = Double(line.count) / (Double(line.count) + parity)
        let own = line.cost(ofSize: kind.size, prior: all.proportion())
        return CostEstimate(
            mean: share * own + (1 - share) * common,
            deviation: share * own * line.deviation + (1 - share) * common * all.deviation)
    }

    /// Records what work of a kind has cost.
    package mutating func learn(_ cost: Duration, of kind: WorkKind) {
        if entries.isEmpty { entries = Array(repeating: nil, count: Self.sets * Self.ways) }
        time += 1
        let cost = Double(max(0, cost.wholeNanoseconds))
        let place = place(of: kind.number) ?? vacate(for: kind.number)
        var entry = entries[place] ?? Entry(number: kind.number)
        if entry.line.count > 0 { judge(entry.line, cost, kind.size) }
        entry.line.add(cost, size: kind.size, prior: all.proportion())
        entry.time = time
        entries[place] = entry
        all.add(cost, size: kind.size)
    }

    /// Takes the errors of what a kind and all kinds were expected to cost.
    private mutating func judge(_ line: CostLine, _ cost: Double, _ size: Int?) {
        errors = min(errors + 1, 2 * CostLine.window)
        let count = Double(errors)
        let error = cost - line.cost(ofSize: size, prior: all.proportion())
        let common = cost - all.cost(ofSize: size)
        let simple = cost - all.mean
        // The mean of n values misses the next by (n + 1) / n times their variance.
        within += (error * error / (1 + 1 / Double(line.count)) - within) / count
        total += (common * common - total) / count
        plain += (simple * simple - plain) / count
        let unit = max(1, all.mean * all.mean)  // as if one error of each had this square
        parity = (count * within + unit) / (count * max(0, total - within) + unit)
        let left = count * min(within, total) + unit
        isReliable = left < max((count * plain + unit) / 2, count * unit / 16)
    }

    // MARK: - The table

    private func places(of number: Int) -> Range<Int> {
        // Fibonacci hashing: the upper five bits name the set.
        let set = Int((UInt64(truncatingIfNeeded: number) &* 0x9e37_79b9_7f4a_7c15) >> 59)
        return set * Self.ways..<(set + 1) * Self.ways
    }

    private func place(of number: Int) -> Int? {
        for place in places(of: number) where entries[place]?.number == number { return place }
        return nil
    }

    private mutating func vacate(for number: Int) -> Int {
        var (oldest, time) = (0, Int.max)
        for place in places(of: number) where entries[place]?.time ?? -1 < time {
            (oldest, time) = (place, entries[place]?.time ?? -1)
        }
        entries[oldest] = nil
        return oldest
    }

    /// Checks that the table has its size, and each kind its place.
    ///
    /// O(1), for tests.
    func checkInvariants() {
        precondition([0, Self.sets * Self.ways].contains(entries.count), "the table has one size")
        for (place, entry) in entries.enumerated() {
            guard let number = entry?.number else { continue }
            precondition(self.place(of: number) == place, "a kind has one place")
        }
    }
}

/// What a piece of work is expected to cost.
package struct CostEstimate: Equatable, Sendable {
    /// The mean and the mean deviation in nanoseconds, 30 years at most.
    private let nanoseconds: (mean: Int64, deviation: Int64)

    /// The likely cost.
    package var mean: Duration { .nanoseconds(nanoseconds.mean) }

    /// The mean difference between the cost and what is likely.
    package var deviation: Duration { .nanoseconds(nanoseconds.deviation) }

    /// A cost that one in a few hundred exceeds: the mean and two and a half mean deviations.
    package var bound: Duration { .nanoseconds(wholeBound) }

    /// The nanoseconds of that.
    var wholeBound: Int64 { nanoseconds.mean + nanoseconds.deviation / 2 * 5 }

    init(mean: Double, deviation: Double) {
        nanoseconds = (Self.whole(mean), Self.whole(deviation))
    }

    /// Returns whole nanoseconds, rounded up: what always costs the same isn't expected to cost less.
    private static func whole(_ nanoseconds: Double) -> Int64 {
        Int64((min(nanoseconds, 1e18) - 1e-3).rounded(.up))
    }

    package static func == (lhs: CostEstimate, rhs: CostEstimate) -> Bool {
        lhs.nanoseconds == rhs.nanoseconds
    }
}
