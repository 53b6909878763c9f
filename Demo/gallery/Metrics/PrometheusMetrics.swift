internal import IdleLoop

/// Metrics that are kept in memory, and told as text when Prometheus asks for them.
///
/// ```swift
/// let metrics = PrometheusMetrics()
/// Counter(label: "pictures_made", factory: metrics).increment()
/// metrics.text()  // # TYPE pictures_made_total counter …
/// ```
///
/// A metric's label becomes the name of a family and its dimensions become labels: what isn't legal
/// in these becomes `_`, counters end in `_total` and timers in `_seconds`. Timers, and recorders that
/// aggregate, are histograms, whose buckets are the same for all. Whoever asks for what is there
/// already gets the same again, so a metric may be made where it's counted.
///
/// There are never more series than the configuration allows. What is beyond, or has the name of
/// another kind's family, isn't told, but counted in `metrics_refused_total`. Any thread may do
/// anything here at any time.
public final class PrometheusMetrics: Sendable {
    /// The limits of what is kept, and the texts of help.
    public typealias Configuration = PrometheusConfiguration

    /// The type of `text()`, as HTTP has it.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private let registry: Guarded<MetricRegistry>
    private let times: HistogramBounds
    private let sizes: HistogramBounds

    /// Metrics of which there are none yet.
    public init(_ configuration: Configuration = .init()) {
        times = HistogramBounds(configuration.times.map { $0 / .seconds(1) })
        sizes = HistogramBounds(configuration.sizes)
        registry = Guarded(MetricRegistry(configuration))
    }

    /// All there is, families and series in order, in Prometheus's text format 0.0.4.
    ///
    /// Each series is read on its own, and only who counts in that one waits meanwhile. A thousand
    /// series take about a millisecond, a thousand histograms ten: work for a lull, or a worker.
    public func text() -> String {
        registry.withLock { $0 }.text
    }

    func counter(_ label: String, _ dimensions: [(String, String)]) -> CounterSeries {
        series(.counter, label, dimensions) { CounterSeries() }
    }

    func gauge(_ label: String, _ dimensions: [(String, String)]) -> GaugeSeries {
        series(.gauge, label, dimensions) { GaugeSeries() }
    }

    func times(_ label: String, _ dimensions: [(String, String)]) -> HistogramSeries {
        series(.times, label, dimensions) { HistogramSeries(self.times) }
    }

    func sizes(_ label: String, _ dimensions: [(String, String)]) -> HistogramSeries {
        series(.sizes, label, dimensions) { HistogramSeries(self.sizes) }
    }

    /// Forgets a series, which isn't told any more and has room for another.
    func remove(_ series: AnyObject) {
        guard let series = series as? any MetricSeries else { return }
        registry.withLock { $0.remove(series) }
    }

    private func series<Series: MetricSeries>(
        _ kind: MetricKind, _ label: String, _ dimensions: [(String, String)],
        _ make: @Sendable () -> Series
    ) -> Series {
        registry.withLock { $0.series(kind, label, dimensions, make) }
    }
}
