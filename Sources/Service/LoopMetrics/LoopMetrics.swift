#if Metrics
public import CoreMetrics
public import IdleLoop

/// A reporter of the counts of a loop, and of its queues by name, to a metrics system.
///
/// ```swift
/// MetricsSystem.bootstrap(factory)
/// let metrics = LoopMetrics(of: loop)
/// ```
///
/// Counters are incremented by their growth, and gauges set to their values, once a period while
/// there is work, and when `run` ends. An idle loop isn't woken. After its last work the counts are
/// reported once more; an adopted loop keeps its host's dispatch from ending until then. Name
/// queues by their purpose, as each name has its metrics for good.
///
/// The gauge `lull_build_info` is 1, and has the release of Lull as its dimensions: `version` and, if
/// it is known, `commit`.
public final class LoopMetrics {
    /// The configuration of the metrics.
    public typealias Configuration = MetricsConfiguration

    private let loop: MainLoop
    private let name: String
    private let factory: any MetricsFactory
    private var ticker: WorkTicker?
    private var counters: LoopCounters
    private var queues: [String: QueueCounters] = [:]

    /// Reports the counts of `loop`, including those so far, to the metrics of `factory`, until
    /// this object is cancelled or released.
    public init(
        of loop: MainLoop, configuration: Configuration = .init(),
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        self.loop = loop
        self.factory = factory
        name = configuration.name
        counters = LoopCounters(of: name, in: factory)
        let build =
            [("version", LullBuild.version)] + (LullBuild.commit.map { [("commit", $0)] } ?? [])
        Gauge(label: "lull_build_info", dimensions: build, factory: factory).record(1)
        report()
        ticker = WorkTicker(of: loop, every: configuration.period) { [weak self] in self?.report() }
    }

    deinit {
        cancel()
    }

    /// Reports the current counts.
    public func report() {
        counters.tell(loop.statistics)
        for (name, statistics) in loop.queueStatistics {
            queues[name, default: QueueCounters(of: name, on: self.name, in: factory)]
                .tell(statistics)
        }
    }

    /// Stops reporting, except by calls of `report()`.
    public func cancel() {
        ticker?.cancel()
    }
}
#endif
