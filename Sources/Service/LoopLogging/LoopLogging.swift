#if Logging
public import IdleLoop
public import Logging
internal import LullLibC

/// A logger of a loop's problems, which writes at most one line of each kind a period.
///
/// ```swift
/// let logging = LoopLogging(of: loop, to: Logger(label: "thumbnails"))
/// ```
///
/// It logs jobs that made a timer or frame late, that were dropped or rejected, or were held back.
/// If configured, it also logs long turns and memory pressure. A job without problems is neither
/// logged nor counted, and an idle loop isn't woken; an adopted loop keeps its host's dispatch from
/// ending for a period. The remaining lines are written when `run` ends.
public final class LoopLogging {
    /// The configuration of the log.
    public typealias Configuration = LoggingConfiguration

    private let loop: MainLoop
    private let logger: Logger
    private let configuration: Configuration
    private var ticker: WorkTicker?
    private var turns: Observer?
    private var queues: [String: QueueStatistics]
    private var longTurns = LongTurns()
    private var pressures: [(pressure: MemoryPressure, events: Int)] = []

    /// Logs the problems of `loop` from now on to `logger`, until this object is cancelled or
    /// released.
    ///
    /// Traps if the configuration's period is less than a second.
    public init(of loop: MainLoop, to logger: Logger, configuration: Configuration = .init()) {
        precondition(configuration.period >= .seconds(1), "a log has at most a line a second")
        self.loop = loop
        self.logger = logger
        self.configuration = configuration
        queues = loop.queueStatistics
        ticker = WorkTicker(of: loop, every: configuration.period) { [weak self] in self?.write() }
        guard let limit = configuration.longTurn else { return }
        turns = loop.observeTurns { [weak self] turn in
            self?.longTurns.add(turn, ifLongerThan: limit)
        }
    }

    deinit {
        cancel()
    }

    /// Logs the events of a memory pressure listener, too.
    public func watch(_ pressure: MemoryPressure) {
        guard ticker != nil else { return }
        pressures.append((pressure, pressure.events))
    }

    /// Stops logging, and releases what it watches.
    public func cancel() {
        ticker?.cancel()
        ticker = nil
        pressures = []
        turns?.cancel()
    }

    private func write() {
        let now = loop.queueStatistics
        write(.warning, "jobs made a timer or frame late", now, \.overruns)
        write(.warning, "jobs were dropped", now, \.dropped)
        write(.warning, "jobs were rejected", now, \.rejected)
        write(.info, "jobs were held back", now, \.heldBack)
        queues = now
        if let metadata = longTurns.take() {
            logger.warning("turns were long", metadata: metadata)
        }
        for index in pressures.indices {
            guard pressures.indices.contains(index) else { return }  // the log handler cancelled it
            let (pressure, before) = pressures[index]
            guard pressure.events > before else { continue }
            pressures[index].events = pressure.events
            logger.notice(
                "memory is short",
                metadata: [
                    "count": "\(pressure.events - before)", "source": "\(pressure.source)",
                ])
        }
    }

    /// Logs the growth of a count, in total and by queue, if there is any.
    private func write(
        _ level: Logger.Level, _ message: Logger.Message, _ now: [String: QueueStatistics],
        _ count: KeyPath<QueueStatistics, Int>
    ) {
        var total = 0
        var growths: Logger.Metadata = [:]
        for (name, statistics) in now {
            let growth = statistics[keyPath: count] - (queues[name]?[keyPath: count] ?? 0)
            guard growth > 0 else { continue }
            total += growth
            growths[name] = "\(growth)"
        }
        guard total > 0 else { return }
        logger.log(
            level: level, message,
            metadata: ["count": "\(total)", "queues": .dictionary(growths)])
    }
}
#endif
