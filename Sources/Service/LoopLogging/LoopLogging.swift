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
/// It logs jobs that made a timer or frame late, that were dropped, or were held back.
/// A job without problems is neither logged nor counted, and an idle loop isn't woken; an adopted
/// loop keeps its host's dispatch from ending for a period. The remaining lines are written when
/// `run` ends.
public final class LoopLogging {
    private let loop: MainLoop
    private let logger: Logger
    private var ticker: WorkTicker?
    private var queues: [String: QueueStatistics]

    /// Logs the problems of `loop` from now on to `logger`, until this object is cancelled or
    /// released.
    ///
    /// Traps if the period is less than a second.
    public init(of loop: MainLoop, to logger: Logger, every period: Duration = .seconds(1)) {
        precondition(period >= .seconds(1), "a log has at most a line a second")
        self.loop = loop
        self.logger = logger
        queues = loop.queueStatistics
        ticker = WorkTicker(of: loop, every: period) { [weak self] in self?.write() }
    }

    deinit {
        cancel()
    }

    /// Stops logging.
    public func cancel() {
        ticker?.cancel()
        ticker = nil
    }

    private func write() {
        let now = loop.queueStatistics
        write(.warning, "jobs made a timer or frame late", now, \.overruns)
        write(.warning, "jobs were dropped", now, \.dropped)
        write(.info, "jobs were held back", now, \.heldBack)
        queues = now
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
