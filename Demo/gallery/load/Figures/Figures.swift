internal import Glibc

/// Statistics of many durations.
///
/// They are counted in steps of a hundredth, so that millions take no more memory than hundreds;
/// the maximum is exact.
struct Figures {
    /// The number of durations.
    private(set) var count = 0
    /// The maximum.
    private(set) var worst = Duration.zero
    /// The count of each step, a logarithm of ms; durations of zero are in the lowest.
    private var steps: [Int: Int] = [:]

    private static let stepWidth = log(1.01)
    private static let shortest = Duration.nanoseconds(1)

    mutating func add(_ duration: Duration) {
        let duration = max(Self.shortest, duration)
        let value = duration / .milliseconds(1)
        count += 1
        worst = max(worst, duration)
        steps[Int((log(value) / Self.stepWidth).rounded()), default: 0] += 1
    }

    /// Returns the value below which this share of the durations lies; zero if there are none.
    ///
    /// Exact to half a hundredth. O(n log n) for n steps, of which there are 3,000 at most in
    /// practice.
    func quantile(_ share: Double) -> Duration {
        var left = min(count - 1, Int(share * Double(count)))
        for (step, count) in steps.sorted(by: { $0.key < $1.key }) {
            if left < count { return min(worst, .milliseconds(exp(Double(step) * Self.stepWidth))) }
            left -= count
        }
        return .zero
    }
}
