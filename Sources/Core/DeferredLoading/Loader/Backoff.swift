/// The delay before a retry: longer after each failure, and random.
///
/// The delay is drawn from zero to a bound that doubles with each failure (exponential backoff with
/// full jitter), so that loads that failed together don't retry together:
/// ```swift
/// var random = SeededNumbers(seed: 1)
/// Backoff().delay(afterFailures: 3, using: &random)  // somewhere in 4 s
/// ```
public struct Backoff: Equatable, Sendable {
    /// The maximum delay after the first failure.
    public var first: Duration = .seconds(1)
    /// The maximum delay.
    public var longest: Duration = .seconds(60)
    /// The number of tries, the first included.
    public var tries = 5
    /// The seed of the random delays; nil for another seed each time, and 1 on virtual time.
    package var seed: UInt64?

    /// A backoff of 5 tries, with delays of up to 1, 2, 4 and 8 s.
    public init() {}

    /// Returns the delay after a number of failures in a row, at least one; nil if there is no more
    /// try.
    func delay(
        afterFailures failures: Int, using random: inout SeededNumbers
    ) -> Duration? {
        precondition(failures > 0, "there's nothing to try again before the first failure")
        guard failures < tries else { return nil }
        var most = first
        for _ in 1..<failures where most < longest { most *= 2 }
        return min(most, longest) * Double.random(in: 0..<1, using: &random)
    }
}

/// A random number generator that gives the same numbers for a seed on every machine: SplitMix64
/// (Steele, Lea, Flood, 2014).
package struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
