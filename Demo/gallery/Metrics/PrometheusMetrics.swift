internal import IdleLoop

/// Metrics that are kept in memory and exported as text when Prometheus requests them.
///
/// ```swift
/// let metrics = PrometheusMetrics()
/// Counter(label: "pictures_made", factory: metrics).increment()
/// metrics.text()  // # TYPE pictures_made_total counter …
/// ```
///
/// A metric's label becomes the name of a family, and its dimensions become labels. Characters that
/// are not allowed become `_`; counters end in `_total` and timers in `_seconds`. Timers, and
/// recorders that aggregate, are histograms with the same buckets. Creating a metric that exists
/// returns the existing one, so a metric may be created where it is used.
///
/// The number of series never exceeds the configured limit. Further series, and those whose name
/// belongs to a family of another kind, are not exported, but counted in `metrics_refused_total`.
/// All methods may be called on any thread.
public final class PrometheusMetrics: Sendable {
    /// The limits, and the help texts.
    public typealias Configuration = PrometheusConfiguration

    /// The HTTP content type of `text()`.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private let registry: Guarded<MetricRegistry>
    private let times: HistogramBounds
    private let sizes: HistogramBounds

    /// Creates an empty set of metrics.
    public init(_ configuration: Configuration = .init()) {
        times = HistogramBounds(configuration.times.map { $0 / .seconds(1) })
        sizes = HistogramBounds(configuration.sizes)
        registry = Guarded(MetricRegistry(configuration))
    }

    /// Returns all families and series, sorted, in Prometheus's text format 0.0.4.
    ///
    /// Each series is locked separately, so recording in it waits only while that one is read. A
    /// thousand series take about a millisecond, a thousand histograms ten: work for a lull, or a
    /// worker.
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

    /// Removes a series, which is no longer exported and makes room for another.
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
