internal import IdleLoop
internal import LullLibC

/// The delay before a retry: longer after each failure, and random.
///
/// The delay is drawn from zero to a bound that doubles with each failure (exponential backoff with
/// full jitter), so that loads that failed together don't retry together:
/// ```swift
/// var random = SplitMix64(seed: 1)
/// Backoff().delay(afterFailures: 3, using: &random)  // somewhere in 4 s
/// ```
package struct Backoff: Equatable, Sendable {
    /// The maximum delay after the first failure.
    package var first: Duration
    /// The maximum delay.
    package var longest: Duration
    /// The number of tries, the first included.
    package var tries = 5

    /// A backoff of 5 tries, by default with delays of up to 1, 2, 4 and 8 s.
    package init(first: Duration = .seconds(1), longest: Duration = .seconds(60)) {
        (self.first, self.longest) = (first, longest)
    }

    /// Returns the delay after a number of failures in a row, at least one; nil if there is no more
    /// try.
    func delay(
        afterFailures failures: Int, using random: inout SplitMix64
    ) -> Duration? {
        precondition(failures > 0, "there's nothing to try again before the first failure")
        guard failures < tries else { return nil }
        return bound(afterFailures: failures) * Double.random(in: 0..<1, using: &random)
    }

    /// Returns the bound of the delay after a number of failures in a row, at least one.
    package func bound(afterFailures failures: Int) -> Duration {
        var most = first
        for _ in 1..<max(1, failures) where most < longest { most *= 2 }
        return min(most, longest)
    }
}
