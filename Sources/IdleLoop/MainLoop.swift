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
    public private(set) var statistics = Statistics()
    /// Whether the loop is inside `run` and wasn't told to stop.
    public private(set) var isRunning = false

    private let base: EventBase
    private let alarm: Alarm
    private var alarmSetting: Instant?
    private var alarmWentOff = false
    private var isAsleep = false
    private var isInsideRun = false
    private var isClosed = false
    private var firingUntil: Instant?

    private var timers = TimerTable()
    private var watches: [ObjectIdentifier: Watch] = [:]
    private var observers = ObserverTable()
    private var ports = SlotTable<(any Sendable) -> Void>()

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

    // MARK: - The turn

    /// Runs until `stop()` is called; on virtual time also until nothing will ever happen again.
    ///
    /// May be called again after it returned. A loop isn't run from inside its own callbacks.
    public func run() throws(LoopError) {
        precondition(!isInsideRun, "a loop is not run from inside itself")
        precondition(!isClosed, "a closed loop does not run")
        isInsideRun = true
        isRunning = true
        defer {
            isRunning = false
            isInsideRun = false
        }
        notify(.entry)
        while isRunning { try turn() }
        notify(.exit)
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

    private func sleep() throws(LoopError) {
        isAsleep = true
        defer { willDispatch(counting: false) }
        switch clock {
        case .monotonic:
            statistics.sleeps += 1
            try setAlarm()
            try base.wait()
        case .virtual(let time):
            let next = min(timers.next ?? .distantFuture, time.nextHappening ?? .distantFuture)
            guard next < .distantFuture else { return stop() }
            statistics.sleeps += 1
            time.advance(to: next)
        }
    }

    /// Tells observers, once, that the sleep is over, before anything is dispatched.
    func willDispatch(counting: Bool = true) {
        if isAsleep {
            isAsleep = false
            notify(.afterIdle)
        }
        if counting { statistics.dispatched += 1 }
    }

    /// When the next timer is due.
    private var nextDue: Instant { timers.next ?? .distantFuture }

    // MARK: - Observers

    /// Calls `body` at the moments of `activities`, in the given order among other observers.
    ///
    /// Costs nothing while the loop sleeps. Observers may be added and cancelled from inside one.
    @discardableResult
    public func observe(
        _ activities: Activity, order: Int = 0, repeats: Bool = true,
        _ body: @escaping (Activity) -> Void
    ) -> Observer {
        add(activities, order: order, repeats: repeats, .note(body))
    }

    /// Calls `body` each time the loop is about to sleep, so that it can do some work instead.
    ///
    /// Of several, one works between two polls, in turn, so that a ready event waits for one only.
    @discardableResult
    public func beforeIdle(
        order: Int = 0, _ body: @escaping (borrowing IdleSlot) -> IdleResult
    ) -> Observer {
        add(.beforeIdle, order: order, repeats: true, .work(body))
    }

    private func add(
        _ activities: Activity, order: Int, repeats: Bool, _ body: Observer.Body
    ) -> Observer {
        precondition(!isClosed, "a closed loop is not observed")
        let observer = Observer(
            loop: self, activities: activities, order: order, repeats: repeats, body: body)
        observers.add(observer)
        return observer
    }

    func forget(_ observer: Observer) {
        observers.remove(observer)
    }

    private func notify(_ activity: Activity) {
        for observer in observers.list(for: activity) where observer.isActive {
            guard case .note(let body)? = observer.body else { continue }
            if !observer.repeats { observer.cancel() }
            body(activity)
        }
    }

    /// Calls observers in order, then lets one of those with work do some.
    private func notifyBeforeIdle() -> Bool {
        statistics.idlePasses += 1
        notify(.beforeIdle)
        let workers = observers.workers
        guard !workers.isEmpty, isRunning else { return false }
        let slot = IdleSlot(clock: clock, start: clock.now, due: nextDue)
        for step in 0..<workers.count {
            let index = (observers.turn + step) % workers.count
            guard case .work(let body)? = workers[index].body else {
                continue
            }
            if body(slot) == .worked {
                observers.turn = index + 1
                return true
            }
        }
        return false
    }

    // MARK: - Timers

    /// Calls `body` at `instant`, or as soon as the loop can if that has passed, and then again
    /// each `period` if there is one.
    ///
    /// Equal deadlines fire in the order they were armed. O(log n).
    @discardableResult
    public func schedule(
        at instant: Instant, every period: Duration? = nil, _ body: @escaping () -> Void
    ) -> TimerID {
        precondition(!isClosed, "a closed loop has no timers")
        precondition(period.map { $0 > .zero } ?? true, "a timer's period is longer than zero")
        // One armed for the past from inside a timer comes after all that is due already.
        let deadline = max(instant, firingUntil ?? instant)
        return TimerID(slot: timers.add(at: deadline, .init(period: period, body: body)))
    }

    /// Calls `body` when `delay` has passed, and then again each `period` if there is one.
    @discardableResult
    public func schedule(
        after delay: Duration, every period: Duration? = nil, _ body: @escaping () -> Void
    ) -> TimerID {
        schedule(at: clock.now.advanced(by: delay), every: period, body)
    }

    /// Takes a timer back; false if it fired already or was cancelled before.
    ///
    /// O(log n).
    @discardableResult
    public func cancel(_ timer: TimerID) -> Bool {
        timers.remove(timer.slot)
    }

    /// Fires what is due now; a timer armed meanwhile waits for the next pass, so that descriptors
    /// have their turn between.
    private func fireTimers() -> Bool {
        switch clock {
        case .monotonic:
            guard alarmWentOff else { return false }
            alarmWentOff = false
            alarmSetting = nil
        case .virtual(let time):
            guard let next = timers.next, next <= time.now else { return false }
        }
        let now = clock.now
        let horizon = timers.horizon
        firingUntil = now
        defer { firingUntil = nil }
        var fired = false
        while let body = timers.popDue(at: now, before: horizon) {
            fired = true
            statistics.timersFired += 1
            body()
        }
        return fired
    }

    /// Sets the timerfd if the earliest deadline is another than it was.
    private func setAlarm() throws(LoopError) {
        guard case .monotonic = clock, timers.next != alarmSetting else { return }
        try alarm.set(to: timers.next)
        alarmSetting = timers.next
    }

    // MARK: - Descriptors, signals, ports

    /// Calls `handler` whenever `descriptor` is ready, again as long as it stays so.
    ///
    /// Throws `badDescriptor` if it isn't open, `notPollable` for a regular file or a folder, which
    /// are never waited for, or what the kernel says.
    @discardableResult
    public func watch(
        _ descriptor: Int32, for readiness: Watch.Readiness,
        _ handler: @escaping (Watch.Readiness) -> Void
    ) throws(LoopError) -> Watch {
        precondition(!isClosed, "a closed loop watches nothing")
        precondition(!readiness.isEmpty, "a watch waits for reading, for writing or for both")
        guard isOpen(descriptor) else { throw .badDescriptor(descriptor) }
        guard isPollable(descriptor) else { throw .notPollable(descriptor) }
        let watch = Watch(loop: self, handler: handler)
        watch.attach(
            try base.event(
                for: descriptor, readable: readiness.contains(.readable),
                writable: readiness.contains(.writable), watch: watch))
        watches[ObjectIdentifier(watch)] = watch
        return watch
    }

    /// Calls `handler` on the loop after each signal `number`, such as SIGTERM.
    ///
    /// Of all loops in a process only one can watch signals; that is libevent's limit.
    @discardableResult
    public func watch(
        signal number: Int32, _ handler: @escaping () -> Void
    ) throws(LoopError) -> Watch {
        precondition(!isClosed, "a closed loop watches nothing")
        guard isCatchable(signal: number) else { throw .badSignal(number) }
        let watch = Watch(loop: self) { _ in handler() }
        watch.attach(try base.event(forSignal: number, watch: watch))
        watches[ObjectIdentifier(watch)] = watch
        return watch
    }

    private func internalWatch(
        _ descriptor: Int32, _ handler: @escaping () -> Void
    ) throws(LoopError) {
        let watch = Watch(loop: self) { _ in handler() }
        watch.attach(
            try base.event(for: descriptor, readable: true, writable: false, watch: watch))
        watches[ObjectIdentifier(watch)] = watch
    }

    func forget(_ watch: Watch) {
        watches[ObjectIdentifier(watch)] = nil
    }

    /// A way for other threads to hand values to `handler`, which runs on the loop.
    public func port<Value: Sendable>(
        of type: Value.Type = Value.self, _ handler: @escaping (Value) -> Void
    ) -> Port<Value> {
        precondition(!isClosed, "a closed loop has no ports")
        let id = ports.insert { value in
            guard let value = value as? Value else { return }
            handler(value)
        }
        return Port(inbox: inbox, id: id)
    }

    /// Closes a port: what was sent and hasn't arrived is thrown away.
    ///
    /// A second call does nothing.
    public func close<Value>(_ port: Port<Value>) {
        if ports.contains(port.id) { ports.remove(at: port.id.index) }
    }

    private func deliver(_ messages: [Inbox.Message]) {
        for message in messages {
            switch message {
            case .call(let body):
                body(self)
            case .value(let index, let generation, let value):
                guard ports.contains(.init(index: index, generation: generation)) else { continue }
                ports[index](value)
            }
        }
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
