internal import CoreMetrics
internal import IdleLoop

/// The counts of values up to each bound and in all, and their sum.
final class HistogramSeries: MetricSeries, RecorderHandler, TimerHandler {
    private struct Tally {
        var buckets: [Int]
        var sum = 0.0
    }

    private let bounds: HistogramBounds
    private let tally: Guarded<Tally>

    init(_ bounds: HistogramBounds) {
        self.bounds = bounds
        tally = Guarded(Tally(buckets: Array(repeating: 0, count: bounds.values.count + 1)))
    }

    /// Counts a value; ignores an infinite or NaN one, which would make the sum useless.
    func record(_ value: Double) {
        guard value.isFinite else { return }
        let bucket = bounds.bucket(for: value)
        tally.withLock { tally in
            tally.buckets[bucket] += 1
            tally.sum += value
        }
    }

    func record(_ value: Int64) {
        record(Double(value))
    }

    /// Counts a time in seconds; a negative one counts as zero.
    func recordNanoseconds(_ duration: Int64) {
        record(Double(max(0, duration)) / 1e9)
    }

    func write(of family: String, _ labels: SeriesLabels, to text: inout ExpositionText) {
        let tally = tally.withLock { $0 }
        var count = 0
        for (label, times) in zip(bounds.labels, tally.buckets) {
            count += times
            text.sample("\(family)_bucket", labels, upTo: label, Double(count))
        }
        text.sample("\(family)_sum", labels, tally.sum)
        text.sample("\(family)_count", labels, Double(count))
    }
}
