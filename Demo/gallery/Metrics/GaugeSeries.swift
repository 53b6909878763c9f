internal import CoreMetrics
internal import IdleLoop

/// A value that can be set, increased and decreased.
final class GaugeSeries: MetricSeries, RecorderHandler, MeterHandler {
    private let value = Guarded(0.0)

    func set(_ value: Double) {
        self.value.withLock { $0 = value }
    }

    func set(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func record(_ value: Int64) { set(Double(value)) }

    func increment(by amount: Double) {
        value.withLock { $0 += amount }
    }

    func decrement(by amount: Double) { increment(by: -amount) }

    func write(of family: String, _ labels: SeriesLabels, to text: inout ExpositionText) {
        text.sample(family, labels, value.withLock { $0 })
    }
}
