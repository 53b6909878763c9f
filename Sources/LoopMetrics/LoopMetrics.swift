public import CoreMetrics
public import IdleLoop

/// Hands a loop's counts, and those of its queues by name, to a metrics system.
///
/// ```swift
/// MetricsSystem.bootstrap(factory)
/// let metrics = LoopMetrics(of: loop)
/// ```
///
/// Counters are told by how much they have grown, and gauges where they stand, once a period while
/// there's work, and when `run` ends. A loop at rest isn't woken, so after the last work of all they
/// are told once; an adopted one keeps its host's dispatch from ending until then. Give queues names
/// by what they do, as each name has its metrics for good.
public final class LoopMetrics {
    /// What is measured, how often, and under which name.
    public typealias Configuration = MetricsConfiguration

    private let loop: MainLoop
    private let name: String
    private let factory: any MetricsFactory
    private var pulse: Pulse?
    private var counters: LoopCounters
    private var queues: [String: QueueCounters] = [:]
    private var timers: WorkTimers?

    /// Has the counts of `loop`, those so far with them, handed to the metrics of `factory`, until
    /// it's cancelled or let go of.
    public init(
        of loop: MainLoop, configuration: Configuration = .init(),
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        self.loop = loop
        self.factory = factory
        name = configuration.name
        counters = LoopCounters(of: name, in: factory)
        report()
        pulse = Pulse(of: loop, every: configuration.period) { [weak self] in self?.report() }
        guard configuration.timesWork else { return }
        timers = WorkTimers(of: name, in: factory)
        loop.listenToTurns(for: self) { [weak self] turn in self?.timers?.tell(turn) }
    }

    deinit {
        cancel()
    }

    /// Hands on what is known at this moment.
    public func report() {
        counters.tell(loop.statistics)
        for (name, statistics) in loop.queueStatistics {
            queues[name, default: QueueCounters(of: name, on: self.name, in: factory)]
                .tell(statistics)
        }
    }

    /// Hands nothing on any more, but when asked to `report()`.
    public func cancel() {
        pulse?.cancel()
        loop.listenToTurns(for: self, nil)
    }
}
