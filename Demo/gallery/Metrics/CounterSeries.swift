internal import CoreMetrics
internal import IdleLoop

/// A sum that only increases, until it is reset.
final class CounterSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler {
    private let sum = Guarded(0.0)

    func increment(by amount: Int64) {
        increment(by: Double(amount))
    }

    /// Adds an amount; ignores a negative, infinite or NaN one.
    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        sum.withLock { $0 += amount }
    }

    func reset() {
        sum.withLock { $0 = 0 }
    }

    func write(of family: String, _ labels: SeriesLabels, to text: inout ExpositionText) {
        text.sample(family, labels, sum.withLock { $0 })
    }
}
