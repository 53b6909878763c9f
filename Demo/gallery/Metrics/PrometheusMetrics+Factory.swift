public import CoreMetrics

extension PrometheusMetrics: MetricsFactory {
    /// A series that only grows: `<label>_total`.
    public func makeCounter(
        label: String, dimensions: [(String, String)]
    ) -> any CounterHandler { counter(label, dimensions) }

    /// A series that only grows, by fractions too: `<label>_total`.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { counter(label, dimensions) }

    /// A series that is set, raised and lowered.
    public func makeMeter(
        label: String, dimensions: [(String, String)]
    ) -> any MeterHandler { gauge(label, dimensions) }

    /// A histogram of what is recorded if that is to be aggregated, else a series that is set.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        if aggregate { return sizes(label, dimensions) }
        return gauge(label, dimensions)
    }

    /// A histogram of times: `<label>_seconds`.
    public func makeTimer(
        label: String, dimensions: [(String, String)]
    ) -> any TimerHandler { times(label, dimensions) }

    /// Forgets a counter.
    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }

    /// Forgets a counter of fractions.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
        remove(handler)
    }

    /// Forgets a meter.
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }

    /// Forgets a recorder.
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }

    /// Forgets a timer.
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}
