/// The wait before the next try: longer each time, and never the same for two.
///
/// The wait is drawn from zero to a bound that doubles with each failure (full jitter), so that what
/// failed together doesn't come back together:
///
/// ```swift
/// var random = SeededNumbers(seed: 1)
/// Backoff().delay(afterFailures: 3, using: &random)  // somewhere in 4 s
/// ```
public struct Backoff: Equatable, Sendable {
    /// The most that is waited after the first failure.
    public var first: Duration = .seconds(1)
    /// The most that is ever waited.
    public var longest: Duration = .seconds(60)
    /// The number of tries in all.
    public var tries = 5
    /// The seed of the waits; nil for another seed each time, on virtual time 1.
    package var seed: UInt64?

    /// 5 tries, up to 1, 2, 4 and 8 s apart.
    public init() {}

    /// The wait after so many failures in a row, which is at least one; nil if there's no more try.
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

/// Random numbers that are the same for the same seed on every machine (Steele, Lea, Flood, 2014).
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
