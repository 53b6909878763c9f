internal import IdleLoop
internal import LullLibC

/// The costs of loads by their kinds, learned from loads that were done.
///
/// ```swift
/// var costs = LearnedCosts()
/// costs.learn(.milliseconds(16), of: LoadKind(1))
/// costs.learn(.milliseconds(1), of: LoadKind(2))
/// costs.expected(of: LoadKind(1))  // somewhat less than 16 ms
/// ```
///
/// The expected cost is a mean of what the kind has cost and of what all have, weighted by n and k,
/// where n is the number of the kind's loads, and k the variance of costs within a kind divided by
/// that between kinds, as far as it is known (Bühlmann's credibility, an empirical Bayes estimate:
/// "Experience rating and credibility", 1967). So kinds that differ much are told apart at once, and
/// those that say nothing about costs don't matter.
///
/// The variances are mean squares of errors that were made: of a kind's expected cost, and of
/// the expected cost of all. All calls are O(1), and a question allocates nothing. A table of 128
/// kinds is allocated when the first is learned; a new kind replaces the one of the four in its place
/// that was learned least recently.
package struct LearnedCosts {
    private struct Entry {
        let number: Int
        var line = CostLine()
        /// The number of loads that were learned when this one was.
        var time = 0
    }

    private static let ways = 4
    private static let sets = 32

    private var all = CostLine()
    private var entries: [Entry?] = []
    private var time = 0
    /// The mean squares of errors, in square seconds: within kinds, without regard to kinds, and
    /// without regard to kinds and sizes; and the number of them.
    private var within = 0.0
    private var total = 0.0
    private var plain = 0.0
    private var errors = 0
    /// The number of a kind's loads at which it counts as much as all kinds do.
    private var parity = 1.0
    /// Whether kinds and sizes tell costs so well that a plan may rely on them: they explain half of
    /// the variance, or a cost is within a quarter of what is expected.
    private(set) var isReliable = false

    /// Costs of which none is known.
    package init() {}

    /// Returns the expected cost of a load; nil if none of its kind was seen, and no size tells more
    /// than the mean of all.
    package func expected(of kind: LoadKind) -> Duration? {
        guard !entries.isEmpty else { return nil }
        let common = all.cost(ofSize: kind.size)
        guard let place = place(of: kind.number), let line = entries[place]?.line else {
            return kind.size == nil ? nil : Self.duration(common)
        }
        let share = Double(line.count) / (Double(line.count) + parity)
        let own = line.cost(ofSize: kind.size, prior: all.proportion())
        return Self.duration(share * own + (1 - share) * common)
    }

    /// Records what a load has cost.
    package mutating func learn(_ cost: Duration, of kind: LoadKind) {
        if entries.isEmpty { entries = Array(repeating: nil, count: Self.sets * Self.ways) }
        time += 1
        let seconds = cost.inSeconds
        let place = place(of: kind.number) ?? vacate(for: kind.number)
        var entry = entries[place] ?? Entry(number: kind.number)
        if entry.line.count > 0 { judge(entry.line, seconds, kind.size) }
        entry.line.add(seconds, size: kind.size)
        entry.time = time
        entries[place] = entry
        all.add(seconds, size: kind.size)
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
        let unit = max(1e-18, all.mean * all.mean)  // as if one error of each had this square
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

    private static func duration(_ seconds: Double) -> Duration { .seconds(min(seconds, 1e9)) }

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

/// Costs as a linear function of a size, fitted to the last ones: a fixed part, and a part that is
/// proportional to the size.
///
/// With few values, or sizes that differ little, the proportional part is as large as assumed before
/// (a ridge regression whose prior is one value); neither part is negative.
struct CostLine {
    /// The number of values after which each new one counts as much as the one before.
    static let window = 32

    /// The number of values, up to the window.
    private(set) var count = 0
    /// The mean cost, in seconds.
    private(set) var mean = 0.0
    private var sized = 0
    private var size = 0.0
    private var variance = 0.0
    private var covariance = 0.0

    mutating func add(_ cost: Double, size: Int?) {
        count = min(count + 1, Self.window)
        let deviation = cost - mean
        mean += deviation / Double(count)
        guard let size else { return }
        sized = min(sized + 1, Self.window)
        let part = 1 / Double(sized)
        let distance = Double(max(0, size)) - self.size
        self.size += part * distance
        variance = (1 - part) * (variance + part * distance * distance)
        covariance = (1 - part) * (covariance + part * distance * deviation)
    }

    /// Returns the part of the cost that is proportional to the size, from 0 to 1; `prior` is what it
    /// is taken for at first.
    func proportion(prior: Double = 1) -> Double {
        guard mean > 0, size > 0 else { return prior }
        let weight = size * size / Double(sized)
        let slope = (covariance + weight * prior * mean / size) / (variance + weight)
        return min(max(0, slope * size / mean), 1)
    }

    /// Returns the expected cost of a size, in seconds; the mean if the size is unknown.
    func cost(ofSize size: Int?, prior: Double = 1) -> Double {
        guard let size, mean > 0, self.size > 0 else { return mean }
        let part = proportion(prior: prior)
        return mean * (1 - part + part * Double(max(0, size)) / self.size)
    }
}
