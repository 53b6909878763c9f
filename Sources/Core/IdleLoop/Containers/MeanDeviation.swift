/// The recent mean of some measured values, and their mean deviation from it.
///
/// Each is an exponential average of three parts old and one part new. The method is that of TCP's
/// round-trip times (RFC 6298 has ⅞ and ¾); the weights are also those of RecyclerView's and
/// Compose's prefetchers, whose mean alone is too low half of the time.
///
/// ```swift
/// var cost = MeanDeviation(Duration.milliseconds(4), deviation: .milliseconds(2))
/// cost.add(.milliseconds(8))
/// cost.mean  // 5 ms
/// ```
package struct MeanDeviation<Value: ExponentiallyAveraged>: Equatable, Sendable {
    /// The mean.
    package private(set) var mean: Value
    /// The mean deviation.
    package private(set) var deviation: Value

    /// Creates an estimate from one value and an assumed deviation.
    package init(_ first: Value, deviation: Value) {
        mean = first
        self.deviation = deviation
    }

    /// Adds a value to the averages.
    package mutating func add(_ value: Value) {
        deviation = deviation.averaged(with: value < mean ? mean - value : value - mean)
        mean = mean.averaged(with: value)
    }
}

extension Optional {
    /// Adds a value to the averages, or begins them with it and an assumed deviation.
    package mutating func add<Value>(_ value: Value, firstDeviation: Value)
    where Wrapped == MeanDeviation<Value> {
        if self?.add(value) == nil { self = MeanDeviation(value, deviation: firstDeviation) }
    }
}

/// A quantity of which an exponential average can be formed.
package protocol ExponentiallyAveraged: AdditiveArithmetic, Comparable, Sendable {
    /// Returns the average of three parts this value and one part `new`.
    func averaged(with new: Self) -> Self
}

extension Int64: ExponentiallyAveraged {
    // Divides first: the sum of four large values would overflow.
    package func averaged(with new: Int64) -> Int64 { self - self / 4 + new / 4 }
}

extension Duration: ExponentiallyAveraged {
    package func averaged(with new: Duration) -> Duration { self * 3 / 4 + new / 4 }
}

extension Double: ExponentiallyAveraged {
    package func averaged(with new: Double) -> Double { (3 * self + new) / 4 }
}
