/// One thread's event loop, with a moment before idle in which heavy work may run.
///
/// It is confined to the thread that made it and not `Sendable`; other threads reach it through
/// its `inbox`. It drives a libevent base of its own and sleeps in the kernel when there is nothing
/// to do, without a timer or a wake-up.
///
/// ```swift
/// let loop = try MainLoop()
/// try loop.watch(0, for: .readable) { _ in _ = readLine(); loop.stop() }
/// try loop.run()
/// ```
///
/// Closures given to the loop live as long as what they were given for: a watch or timer whose
/// closure holds the loop keeps it alive until it's cancelled or the loop is closed.
public final class MainLoop {
    /// Where the loop takes its time from.
    public let clock: LoopClock
    /// The way in for other threads.
    public let inbox: Inbox
    /// What the loop has done so far.
    public internal(set) var statistics = Statistics()
    /// Whether the loop is inside `run` and wasn't told to stop.
    public private(set) var isRunning = false

    let base: EventBase
    let alarm: Alarm
    var alarmSetting: Instant?
    var alarmWentOff = false
    var isAsleep = false
    private var isInsideRun = false
    var isClosed = false
    var firingUntil: Instant?

    var timers = TimerTable()
    var watches: [ObjectIdentifier: Watch] = [:]
    var observers = ObserverTable()
    var ports = SlotTable<(any Sendable) -> Void>()

    /// A loop on the machine's clock, or on virtual time.
    ///
    /// `inboxCapacity` bounds what other threads can have waiting. Throws if the process is out of
    /// descriptors or memory.
    public init(clock: LoopClock = .monotonic, inboxCapacity: Int = 65_536) throws(LoopError) {
        self.clock = clock
        inbox = try Inbox(capacity: inboxCapacity)
        base = try EventBase()
        alarm = try Alarm()
        let inbox = self.inbox
        try internalWatch(inbox.descriptor) { [unowned self] in deliver(inbox.empty()) }
        try internalWatch(alarm.descriptor) { [unowned self] in
            alarm.answer()
            alarmWentOff = true
        }
    }

    deinit {
        close()
    }

    /// Runs until `stop()` is called; on virtual time also until nothing will ever happen again.
    ///
    /// May be called again after it returned. A loop isn't run from inside its own callbacks.
    public func run() throws(LoopError) {
        precondition(!isInsideRun, "a loop is not run from inside itself")
        precondition(!isClosed, "a closed loop does not run")
        isInsideRun = true
        isRunning = true
        notify(.entry)
        defer {
            isRunning = false
            notify(.exit)
            isInsideRun = false
        }
        while isRunning { try turn() }
    }

    /// Runs until `instant`, inclusive: what is due at that moment still happens.
    public func run(until instant: Instant) throws(LoopError) {
        let end = schedule(at: instant) { [unowned self] in stop() }
        defer { cancel(end) }
        try run()
    }

    /// Ends `run` after the pass under way; from another thread post it to the inbox.
    public func stop() {
        isRunning = false
    }

    /// One round: dispatch all that is ready, then do work while nothing is, else sleep.
    private func turn() throws(LoopError) {
        statistics.turns += 1
        while try pass(), isRunning {}
        guard isRunning else { return }
        let worked = notifyBeforeIdle()
        guard !worked, isRunning else { return }
        try sleep()
    }

    /// One poll: dispatches ready descriptors, signals and posts, then the timers that are due.
    private func pass() throws(LoopError) -> Bool {
        statistics.polls += 1
        try setAlarm()
        let dispatched = try base.poll()
        let fired = fireTimers()
        return dispatched || fired
    }

    /// Sleeps until something is ready, and dispatches it; on virtual time moves to the next thing
    /// due instead, or ends the run if nothing ever will be.
    private func sleep() throws(LoopError) {
        switch clock {
        case .monotonic:
            isAsleep = true
            statistics.sleeps += 1
            try setAlarm()
            try base.wait()
        case .virtual(let time):
            let next = min(nextDue, time.nextHappening ?? .distantFuture)
            guard next < .distantFuture else { return stop() }
            isAsleep = true
            statistics.sleeps += 1
            time.advance(to: next)
        }
        willDispatch(counting: false)
    }

    /// Tells observers, once, that the sleep is over, before anything is dispatched.
    func willDispatch(counting: Bool = true) {
        if isAsleep {
            isAsleep = false
            notify(.afterIdle)
        }
        if counting { statistics.dispatched += 1 }
    }

    /// Lets go of everything that was given to the loop; nothing is called afterwards.
    ///
    /// A loop that is dropped closes by itself, but one that is held by its own closures can't be.
    public func close() {
        guard !isClosed else { return }
        precondition(!isInsideRun, "a loop is not closed from inside itself")
        isClosed = true
        inbox.close()
        for watch in watches.values { watch.detach() }
        watches = [:]
        timers = TimerTable()
        observers = ObserverTable()
        ports = SlotTable()
    }
}
