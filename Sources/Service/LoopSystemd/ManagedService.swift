public import IdleLoop

/// A service on a loop under a service manager, which notifies the manager of its state.
///
/// ```swift
/// let service = try ManagedService(on: loop)
/// try loop.watch(signal: SIGHUP) { try? service.reload { configuration = read() } }
/// try loop.watch(signal: SIGTERM) {
///     try? service.stopping()
///     loop.shutDown(within: .seconds(10)) { reports in save(reports); loop.stop() }
/// }
/// try service.ready()
/// try loop.run()
/// ```
///
/// Messages that the manager has no room for wait in their order, and are sent when there is room;
/// of more than 64 messages, the oldest is dropped. No call blocks on the manager. Without a
/// manager the calls do nothing.
public final class ManagedService {
    /// The notifier that sends the messages to the manager.
    public let notifier: ServiceNotifier
    /// The watchdog that reports to the manager that the loop is running; nil if the manager asks
    /// for none.
    public let watchdog: Watchdog?
    /// A closure that is called with the error when a waiting message is dropped.
    public var onFailure: ((SystemdError) -> Void)?

    private let loop: MainLoop
    private var unsent: [[ServiceState]] = []
    private var retry: LoopTimer?
    private var isTelling = false

    /// Creates a service from `$NOTIFY_SOCKET` and `$WATCHDOG_USEC`.
    ///
    /// - Parameters:
    ///   - loop: The loop of the service.
    ///   - unsetsEnvironment: Whether the variables are unset, so that child processes don't
    ///     inherit them; no other thread may read the environment meanwhile.
    /// - Throws: `malformed` or `addressTooLong` if a variable is invalid.
    public convenience init(
        on loop: MainLoop, unsetsEnvironment: Bool = false
    ) throws(SystemdError) {
        let period = try Watchdog.periodFromEnvironment()
        let notifier = try ServiceNotifier(unsetsEnvironment: unsetsEnvironment)
        if unsetsEnvironment { Variables.unset("WATCHDOG_USEC", "WATCHDOG_PID") }
        self.init(on: loop, notifier: notifier, watchdogPeriod: period)
    }

    /// Creates a service with a notifier, and with a watchdog if there is a period.
    public init(on loop: MainLoop, notifier: ServiceNotifier, watchdogPeriod: Duration?) {
        self.loop = loop
        self.notifier = notifier
        watchdog = watchdogPeriod.map { Watchdog(on: loop, notifier: notifier, period: $0) }
    }

    deinit {
        retry?.cancel()
    }

    /// Whether messages wait until the manager has room for them.
    public var isBehind: Bool { !unsent.isEmpty }

    /// Notifies the manager that the service has started up, or has reloaded.
    public func ready(_ status: String? = nil) throws(SystemdError) {
        try tell([.ready], status)
    }

    /// Notifies the manager of the service's current activity, as a line of text for the user.
    public func status(_ text: String) throws(SystemdError) {
        try tell([], text)
    }

    /// Notifies the manager that the service is reloading its configuration; `ready` marks the end.
    public func reloading(_ status: String? = nil) throws(SystemdError) {
        try tell([.reloading], status)
    }

    /// Calls `body` to reload the configuration, and notifies the manager of the start and the end.
    ///
    /// The service is ready again even if `body` throws: it continues with its old configuration.
    public func reload(_ body: () throws -> Void) throws {
        try reloading()
        let outcome = Result { try body() }
        try ready()
        try outcome.get()
    }

    /// Notifies the manager that the service is shutting down, and stops the watchdog.
    public func stopping(_ status: String? = nil) throws(SystemdError) {
        watchdog?.stop()
        try tell([.stopping], status)
    }

    /// Notifies the manager of any states in one message.
    public func tell(_ states: ServiceState...) throws(SystemdError) {
        try tell(states, nil)
    }

    private func tell(_ states: [ServiceState], _ status: String?) throws(SystemdError) {
        let states = states + (status.map { [.status($0)] } ?? [])
        _ = try ServiceState.message(states)  // an invalid state is an error now, not later
        if isBehind, !loop.isClosed { return wait(states) }
        do {
            try notifier.notify(states)
        } catch .full where !loop.isClosed {
            wait(states)
        }
    }

    /// Queues a message that can't be sent now; of status texts only the last is kept.
    private func wait(_ states: [ServiceState]) {
        let isStatus = { (states: [ServiceState]) in
            states.allSatisfy { $0.fields.allSatisfy { $0.name == "STATUS" } }
        }
        if isStatus(states) { unsent.removeAll(where: isStatus) }
        unsent.append(states)
        if retry == nil {
            let pause = Duration.milliseconds(100)
            retry = loop.schedule(after: pause, every: pause, tolerance: pause) { [weak self] in
                self?.sendUnsent()
            }
        }
        guard unsent.count > 64 else { return }
        unsent.removeFirst()
        tell(of: .full)
    }

    /// Sends waiting messages while there is room; messages that are added meanwhile wait for the
    /// next time.
    private func sendUnsent() {
        var left = unsent.count
        while left > 0, let states = unsent.first {
            left -= 1
            do {
                try notifier.notify(states)
                unsent.removeFirst()
            } catch .full {
                return
            } catch {
                unsent.removeFirst()  // removed first, as `onFailure` may send more messages
                tell(of: error)
            }
        }
        guard unsent.isEmpty else { return }
        retry?.cancel()
        retry = nil
    }

    /// Calls `onFailure`, but not for errors of messages that are sent from inside it.
    private func tell(of error: SystemdError) {
        guard !isTelling else { return }
        isTelling = true
        onFailure?(error)
        isTelling = false
    }
}
