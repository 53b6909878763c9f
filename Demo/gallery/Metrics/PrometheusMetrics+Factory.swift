public import CoreMetrics

extension PrometheusMetrics: MetricsFactory {
    /// Returns a counter: `<label>_total`.
    public func makeCounter(
        label: String, dimensions: [(String, String)]
    ) -> any CounterHandler { counter(label, dimensions) }

    /// Returns a counter that can be incremented by fractions: `<label>_total`.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { counter(label, dimensions) }

    /// Returns a gauge that can be set, increased and decreased.
    public func makeMeter(
        label: String, dimensions: [(String, String)]
    ) -> any MeterHandler { gauge(label, dimensions) }

    /// Returns a histogram if values are to be aggregated, otherwise a gauge.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        if aggregate { return sizes(label, dimensions) }
        return gauge(label, dimensions)
    }

    /// Returns a histogram of durations: `<label>_seconds`.
    public func makeTimer(
        label: String, dimensions: [(String, String)]
    ) -> any TimerHandler { times(label, dimensions) }

    /// Removes a counter.
    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }

    /// Removes a counter of fractions.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
        remove(handler)
    }

    /// Removes a meter.
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }

    /// Removes a recorder.
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }

    /// Removes a timer.
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}
