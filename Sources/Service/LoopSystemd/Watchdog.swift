public import IdleLoop
internal import LullLibC

/// A timer that sends keep-alive messages to the service manager while the loop is running.
///
/// It's an ordinary timer at half the period: when a job or a callback hangs, the messages stop,
/// and the manager ends the service (`WatchdogSec=`). Other conditions for the service's health are
/// checked by `isHealthy`. A process that was stopped for a while sends one message, late, and
/// continues in its rhythm. The timer wakes the loop twice a period as long as the watchdog exists,
/// because the manager requires it; there is none if the manager doesn't. Its messages don't count
/// as work, so metrics and logs that are reported while a loop works aren't triggered by them.
public final class Watchdog {
    /// The time after which the manager misses a keep-alive message.
    public let period: Duration
    /// A closure that is called before each message; if it returns false, none is sent.
    public var isHealthy: () -> Bool = { true }
    /// A closure that is called with the error when a message couldn't be sent.
    public var onFailure: ((SystemdError) -> Void)?

    private let loop: MainLoop
    private let notifier: ServiceNotifier
    private var timer: LoopTimer?

    /// Sends a message immediately, and then at each half period until it's stopped or released.
    ///
    /// The timer's tolerance is a quarter of the period, so jobs whose expected cost is longer are
    /// held back. Traps if the period is less than a microsecond.
    public init(on loop: MainLoop, notifier: ServiceNotifier, period: Duration) {
        precondition(period >= .microseconds(1), "a watchdog waits at least a microsecond")
        self.loop = loop
        self.notifier = notifier
        self.period = period
        timer = loop.schedule(
            after: .zero, every: period / 2, tolerance: period / 4
        ) { [weak self] in self?.beat() }
    }

    deinit {
        stop()
    }

    /// Returns the period in `$WATCHDOG_USEC`; nil if there is no watchdog, or if `$WATCHDOG_PID`
    /// names another process.
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

    /// Whether the watchdog still sends messages.
    public var isActive: Bool { timer != nil }

    /// Stops the messages, as a service that is shutting down does.
    public func stop() {
        timer?.cancel()
        timer = nil
    }

    private func beat() {
        loop.countHousekeeping()
        guard isHealthy() else { return }
        do {
            try notifier.notify(.watchdog)
        } catch {
            onFailure?(error)
        }
    }
}
