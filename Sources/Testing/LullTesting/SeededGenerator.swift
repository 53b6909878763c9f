internal import IdleLoop

/// A random number generator that gives the same numbers for the same seed on every machine.
///
/// A test that draws its input from a seed fails again in the same way when it is run with that
/// seed:
///
/// ```swift
/// for seed in 0..<100 as Range<UInt64> {
///     var random = SeededGenerator(seed: seed)
///     let heights = (0..<1000).map { _ in Double.random(in: 40...400, using: &random) }
///     let list = Viewport(rows: try RowHeights(heights), height: 800)
///     print(seed, list.maximumOffset)
/// }
/// ```
/// The algorithm is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// 2014). It is not for secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var numbers: SplitMix64

    /// Creates the generator of a seed.
    public init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    /// Returns the next number.
    public mutating func next() -> UInt64 { numbers.next() }
}
