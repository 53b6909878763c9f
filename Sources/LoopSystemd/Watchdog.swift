public import IdleLoop

/// Tells the service manager, from a timer of the loop's, that the loop still turns.
///
/// An ordinary timer at half the period: when a job or a callback hangs the feeding stops, and the
/// manager ends the service (`WatchdogSec=`). What else must hold for the service to be of use is
/// asked of `isHealthy`. A process that was stopped for a while feeds once, late, and goes on in its
/// rhythm. It wakes the loop twice a period for as long as it lives, as the manager asks for it, and
/// there is none where the manager asks for none. Its beats are no work, so that metrics and a log
/// that are told of a loop at work aren't told of them.
public final class Watchdog {
    /// How long the manager waits for a sign of life.
    public let period: Duration
    /// Asked before each feed; if it says no, there is none.
    public var isHealthy: () -> Bool = { true }
    /// Told when a feed couldn't be sent.
    public var onTrouble: ((SystemdError) -> Void)?
    /// How often the manager was told.
    public private(set) var feeds = 0
    /// How often the loop was so busy that a feed was late by more than a quarter of the period.
    public private(set) var overruns = 0
    /// How often `isHealthy` said no.
    public private(set) var refusals = 0

    private let loop: MainLoop
    private let notifier: ServiceNotifier
    private var timer: LoopTimer?
    private var last: Instant

    /// Feeds at once, and then each half period until it's stopped or let go of.
    ///
    /// The timer tolerates a quarter of the period, so jobs that say they take longer wait for a
    /// better moment.
    public init(on loop: MainLoop, notifier: ServiceNotifier, period: Duration) {
        precondition(period >= .microseconds(1), "a watchdog waits at least a microsecond")
        self.loop = loop
        self.notifier = notifier
        self.period = period
        last = loop.clock.now
        timer = loop.schedule(
            after: .zero, every: period / 2, tolerance: period / 4
        ) { [weak self] in self?.beat() }
    }

    deinit {
        stop()
    }

    /// The period that `$WATCHDOG_USEC` asks for; nil if there is no watchdog, or `$WATCHDOG_PID`
    /// says that it waits for another process.
    public static func periodFromEnvironment() throws(SystemdError) -> Duration? {
        try period(in: Variables())
    }

    static func period(in variables: Variables) throws(SystemdError) -> Duration? {
        let name = "WATCHDOG_USEC"
        guard let microseconds = try variables.number(name, as: Int64.self) else { return nil }
        guard microseconds > 0 else { throw .malformed(variable: name, value: "\(microseconds)") }
        guard try variables.isForMe("WATCHDOG_PID") ?? true else { return nil }
        return .microseconds(microseconds)
    }

    /// Whether it is still feeding.
    public var isActive: Bool { timer != nil }

    /// Feeds no more, as a service does that is on its way down.
    public func stop() {
        timer?.cancel()
        timer = nil
    }

    private func beat() {
        loop.countHousekeeping()
        let now = loop.clock.now
        if last.duration(to: now) > period / 4 * 3 { overruns += 1 }
        last = now
        guard isHealthy() else {
            refusals += 1
            return
        }
        do {
            if try notifier.notify(.watchdog) { feeds += 1 }
        } catch {
            onTrouble?(error)
        }
    }
}
