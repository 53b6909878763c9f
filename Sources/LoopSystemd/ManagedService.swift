public import IdleLoop

/// A service on a loop, as its manager sees it: ready, reloading, stopping, and alive meanwhile.
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
/// What the manager has no room for at the moment waits, in its order, and is sent when there is
/// some, or, of more than 64 messages, given up: nothing here waits for the manager. Without one the
/// calls do nothing.
public final class ManagedService {
    /// The manager's ear.
    public let notifier: ServiceNotifier
    /// What tells the manager that the loop turns; nil if it doesn't ask.
    public let watchdog: Watchdog?
    /// Told when something that had to wait wasn't sent after all.
    public var onTrouble: ((SystemdError) -> Void)?

    private let loop: MainLoop
    private var unsent: [[ServiceState]] = []
    private var retry: LoopTimer?
    private var isTelling = false

    /// A service as `$NOTIFY_SOCKET` and `$WATCHDOG_USEC` describe it.
    ///
    /// - Parameters:
    ///   - loop: The loop on which the service lives.
    ///   - unsetsEnvironment: Whether children don't inherit the variables; the environment isn't to
    ///     be read by another thread then.
    /// - Throws: `malformed` or `addressTooLong` if a variable makes no sense.
    public convenience init(
        on loop: MainLoop, unsetsEnvironment: Bool = false
    ) throws(SystemdError) {
        let period = try Watchdog.periodFromEnvironment()
        let notifier = try ServiceNotifier(unsetsEnvironment: unsetsEnvironment)
        if unsetsEnvironment { Variables.unset("WATCHDOG_USEC", "WATCHDOG_PID") }
        self.init(on: loop, notifier: notifier, watchdogPeriod: period)
    }

    /// A service that speaks by this notifier, and is watched if there is a period.
    public init(on loop: MainLoop, notifier: ServiceNotifier, watchdogPeriod: Duration?) {
        self.loop = loop
        self.notifier = notifier
        watchdog = watchdogPeriod.map { Watchdog(on: loop, notifier: notifier, period: $0) }
    }

    deinit {
        retry?.cancel()
    }

    /// Whether something waits until the manager has room for it.
    public var isBehind: Bool { !unsent.isEmpty }

    /// Tells that the service has started up, or has reloaded.
    public func ready(_ status: String? = nil) throws(SystemdError) {
        try tell([.ready], status)
    }

    /// Tells what the service is doing, in one line for people.
    public func status(_ text: String) throws(SystemdError) {
        try tell([], text)
    }

    /// Tells that the service reads its configuration again; `ready` tells of the end.
    public func reloading(_ status: String? = nil) throws(SystemdError) {
        try tell([.reloading], status)
    }

    /// Has `body` read the configuration again, and tells of the begin and the end.
    ///
    /// The service is ready again also when `body` throws: it goes on as it was.
    public func reload(_ body: () throws -> Void) throws {
        try reloading()
        let outcome = Result { try body() }
        try ready()
        try outcome.get()
    }

    /// Tells that the service is on its way down, and ends the watchdog.
    public func stopping(_ status: String? = nil) throws(SystemdError) {
        watchdog?.stop()
        try tell([.stopping], status)
    }

    /// Tells any states in one message.
    public func tell(_ states: ServiceState...) throws(SystemdError) {
        try tell(states, nil)
    }

    private func tell(_ states: [ServiceState], _ status: String?) throws(SystemdError) {
        let states = states + (status.map { [.status($0)] } ?? [])
        _ = try ServiceState.message(states)  // a mistake is told now, not when there's room
        if isBehind, !loop.isClosed { return wait(states) }
        do {
            try notifier.notify(states)
        } catch .full where !loop.isClosed {
            wait(states)
        }
    }

    /// Keeps what can't be sent now; of lines for people the last counts.
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

    /// Sends what waits, as far as there's room; what is handed in meanwhile waits for the next time.
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
                unsent.removeFirst()  // first: who is told may have more to say
                tell(of: error)
            }
        }
        guard unsent.isEmpty else { return }
        retry?.cancel()
        retry = nil
    }

    /// Tells of trouble, but not of what comes of telling it.
    private func tell(of error: SystemdError) {
        guard !isTelling else { return }
        isTelling = true
        onTrouble?(error)
        isTelling = false
    }
}
