public import IdleLoop
public import Logging

/// Writes what goes wrong on a loop to a log, in sums: of each kind at most a line a period.
///
/// ```swift
/// let logging = LoopLogging(of: loop, to: Logger(label: "thumbnails"))
/// ```
///
/// It tells of jobs that made a timer or frame late, that had no room, or were held back; and, if
/// asked to, of long turns and of memory running short. Nothing is written, nor counted, for a job
/// that is as it should be, and a loop at rest isn't woken; an adopted one keeps its host's dispatch
/// from ending for a period. What is left is written when `run` ends.
public final class LoopLogging {
    /// How often it writes, and of what.
    public typealias Configuration = LoggingConfiguration

    private let loop: MainLoop
    private let logger: Logger
    private let configuration: Configuration
    private var pulse: Pulse?
    private var queues: [String: QueueStatistics]
    private var longTurns = LongTurns()
    private var pressures: [(pressure: MemoryPressure, events: Int)] = []

    /// Has what `loop` does from now on written to `logger`, until it's cancelled or let go of.
    public init(of loop: MainLoop, to logger: Logger, configuration: Configuration = .init()) {
        precondition(configuration.period >= .seconds(1), "a log has at most a line a second")
        self.loop = loop
        self.logger = logger
        self.configuration = configuration
        queues = loop.queueStatistics
        pulse = Pulse(of: loop, every: configuration.period) { [weak self] in self?.write() }
        guard let limit = configuration.longTurn else { return }
        loop.listenToTurns(for: self) { [weak self] turn in
            self?.longTurns.add(turn, ifLongerThan: limit)
        }
    }

    deinit {
        cancel()
    }

    /// Has it tell of memory running short, too, whenever `pressure` does.
    public func watch(_ pressure: MemoryPressure) {
        guard pulse != nil else { return }
        pressures.append((pressure, pressure.events))
    }

    /// Writes nothing any more, and lets go of what it watches.
    public func cancel() {
        pulse?.cancel()
        pulse = nil
        pressures = []
        loop.listenToTurns(for: self, nil)
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
            guard pressures.indices.contains(index) else { return }  // it was cancelled by the log
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

    /// Writes how much a count has grown, in all and by queue, if it has.
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
