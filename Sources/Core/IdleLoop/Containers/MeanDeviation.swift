/// The recent mean of some measured times, and their mean deviation from it.
///
/// Each is an exponential average of three parts old and one part new. The method is that of TCP's
/// round-trip times (RFC 6298 has ⅞ and ¾); the weights are also those of RecyclerView's and
/// Compose's prefetchers, whose mean alone is too low half of the time.
///
/// ```swift
/// var cost = MeanDeviation(.milliseconds(4), deviation: .milliseconds(2))
/// cost.add(.milliseconds(8))
/// cost.mean  // 5 ms
/// ```
package struct MeanDeviation: Equatable, Sendable {
    /// The mean.
    package private(set) var mean: Duration
    /// The mean deviation.
    package private(set) var deviation: Duration

    /// Creates an estimate from one value and an assumed deviation.
    package init(_ first: Duration, deviation: Duration) {
        mean = first
        self.deviation = deviation
    }

    /// Adds a value to the averages.
    package mutating func add(_ value: Duration) {
        deviation = deviation * 3 / 4 + (value < mean ? mean - value : value - mean) / 4
        mean = mean * 3 / 4 + value / 4
    }
}

extension Optional<MeanDeviation> {
    /// Adds a value to the averages, or begins them with it and an assumed deviation.
    package mutating func add(_ value: Duration, firstDeviation: Duration) {
        if self?.add(value) == nil { self = MeanDeviation(value, deviation: firstDeviation) }
    }
}
