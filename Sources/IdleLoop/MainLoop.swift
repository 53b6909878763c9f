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
/// It can also live on a base that another program part drives: see `init(adopting:)`.
///
/// Closures given to the loop live as long as what they were given for: a watch or timer whose
/// closure holds the loop keeps it alive until it's cancelled or the loop is closed.
public final class MainLoop {
    /// Where the loop takes its time from.
    public let clock: LoopClock
    /// The way in for other threads.
    public let inbox: Inbox
    /// Told, after each turn in which something ran, what ran and for how long.
    ///
    /// Nil, and free of cost, unless set. Set from inside a turn it begins with the next.
    public var onTurn: ((Turn) -> Void)? {
        didSet {
            if isClosed { onTurn = nil }
            status.isRecording = tellsOfTurns || recorder != nil
            if !isInside { beginRecord() }
        }
    }
    /// Who else is told of turns, in the order in which they came.
    var turnListeners: [(owner: ObjectIdentifier, body: (Turn) -> Void)] = [] {
        didSet {
            status.isRecording = tellsOfTurns || recorder != nil
            if !isInside { beginRecord() }
        }
    }

    let base: EventBase
    let alarm: Alarm
    var alarmSetting = Instant.distantFuture
    var alarmWentOff = false
    var isAsleep = false
    var asleepSince = Instant.zero
    /// When it last slept.
    var lastWake = Instant.zero
    fileprivate let statusCell = Cell(Status())
    private var isInsideRun = false
    var firingUntil: Instant?
    /// How much of what was dispatched or fired is no work, as nothing but the loop's own upkeep
    /// came of it.
    private var housekeeping = 0
    /// Whether the loop lives on a host's base.
    public let isAdopted: Bool
    fileprivate let hostCell = Cell(Host())

    fileprivate let countsCell = Cell(Statistics())
    var recorder: TurnRecorder?
    fileprivate let lullCell = Cell(Lull())
    fileprivate let timersCell = Cell(TimerTable())
    fileprivate let backlogCell = Cell(Inbox.Backlog())
    fileprivate let expectationsCell = Cell(Expectations())
    var watches: [ObjectIdentifier: Watch] = [:]
    var alarmWatch: Watch?
    var inboxWatch: Watch?
    fileprivate let observersCell = Cell(ObserverTable())
    /// The counts of queues that are gone, by name, once somebody counts by name.
    var goneQueues: [String: QueueStatistics]?
    var ports = SlotTable<(any Sendable) -> Void>()
    var pools: [ObjectIdentifier: WeakPool] = [:]
    /// What there is for tasks, if any live here.
    var servedTasks: LoopTasks?

    /// A loop on the machine's clock, or on virtual time.
    ///
    /// `inboxCapacity` bounds what other threads can have waiting. Throws if the process is out of
    /// descriptors or memory.
    public init(clock: LoopClock = .monotonic, inboxCapacity: Int = 65_536) throws(LoopError) {
        self.clock = clock
        isAdopted = false
        inbox = try Inbox(capacity: inboxCapacity, isLookedInto: true)
        base = try EventBase()
        alarm = try Alarm()
        try watchOwnDescriptors()
    }

    /// A loop on a base that a host made and dispatches itself.
    ///
    /// The host calls `event_base_dispatch` or `event_base_loop` as it always did; `run`, `stop` and
    /// virtual time are not for such a loop. It may have one priority or several, be made with locks
    /// or without: nothing of it is changed, it is only touched on the thread that dispatches it,
    /// and when the loop is closed nothing is left behind. Close it, or let go of it, before the base
    /// is freed. What is pending here (a timer, a job that may run in the present mode, work on a
    /// worker) keeps the host's dispatch from ending as an event of its own would; watching the inbox
    /// does not.
    ///
    /// What an adopted loop can't know with libevent 2.1:
    ///
    /// - Whether the host sleeps. Observers of `beforeIdle` are called when the host's loop is idle
    ///   after a wake-up in which this loop was touched: a job was handed in, a timer or post or
    ///   descriptor of its own came, or `poke()` was called. Other wake-ups of the host go unseen,
    ///   as do `entry` and `exit`, and the time asleep is a guess: from one such pass to the next
    ///   callback. Where libevent 2.2 or later is loaded, all idle passes are seen.
    /// - When the host's own libevent timers are due: a job makes them late by up to its own length.
    /// - With one priority, whether a descriptor that is always ready will ever rest: then no job
    ///   runs unless its queue has a `maxDeferral` or the job a timeout.
    ///
    /// Reading the base's high-water mark of active events, which the loop does to tell idle from
    /// busy, also clears it: so of two loops on one base the second may take a busy host for an idle
    /// one, and one is enough. Throws `noBase` for nil, or what the system says if it's out of
    /// descriptors.
    public init(adopting base: OpaquePointer?, inboxCapacity: Int = 65_536) throws(LoopError) {
        guard let base = unsafe base else { throw .noBase }
        clock = .monotonic
        isAdopted = true
        inbox = try Inbox(capacity: inboxCapacity, isLookedInto: false)
        self.base = unsafe EventBase(adopting: base)
        alarm = try Alarm()
        try watchOwnDescriptors()
        host = try Host(of: self)
    }

    deinit {
        close()
    }

    private func watchOwnDescriptors() throws(LoopError) {
        inboxWatch = try ownWatch(inbox.descriptor, .inbox) { [unowned self] in
            deliver { inbox.empty() }
        }
        alarmWatch = try ownWatch(alarm.descriptor, .timers) { [unowned self] in
            alarm.answer()
            alarmWentOff = true
            countHousekeeping()  // its timers are counted themselves
        }
    }

    /// Whether the loop is inside `run` and wasn't told to stop; always false of an adopted one.
    public var isRunning: Bool { status.isRunning }

    /// What a list that hangs on the loop is doing; observers and queues say in which mode they run.
    ///
    /// One mode at a time. Work that was resting goes on when the mode is one of its own again.
    public var mode: LoopMode {
        get { status.mode }
        set {
            precondition(
                newValue == .default || newValue == .tracking, "a loop is in one mode at a time")
            guard newValue != status.mode else { return }
            status.mode = newValue
            for queue in observers.queues { queue.modeChanged() }
            wantIdle()
        }
    }

    /// What the loop has done so far.
    public var statistics: Statistics {
        observers.queues.reduce(into: counts) { sum, queue in sum.jobs.add(queue.statistics) }
    }

    /// The counts of its queues by name, those of one name together.
    ///
    /// From the first call on, queues that have gone count on.
    package var queueStatistics: [String: QueueStatistics] {
        if goneQueues == nil { goneQueues = [:] }
        return observers.queues.reduce(into: goneQueues ?? [:]) { sums, queue in
            sums[queue.configuration.name, default: .init()].add(queue.statistics)
        }
    }

    /// A number that grows with all that the loop does for others: callbacks, timers and idle passes
    /// with work, but not what was counted as housekeeping.
    var work: Int { counts.dispatched + counts.timersFired + lull.worked - housekeeping }

    /// Notes, from inside a timer, that this time nothing came of it but upkeep: of what is told of a
    /// loop at work nothing is told for it, so that timers of this kind don't keep each other going.
    package func countHousekeeping() {
        housekeeping += 1
    }

    /// Whether the thread is inside one of the loop's callbacks, or between two of them.
    var isInside: Bool { isInsideRun || host.depth > 0 }

    /// Whether work may go on: nobody has said stop.
    var mayWork: Bool { status.isRunning || (isAdopted && !status.isClosed) }

    /// Whether the loop was closed, and calls nobody any more.
    public var isClosed: Bool { status.isClosed }

    /// Runs until `stop()` is called; on virtual time also until nothing will ever happen again.
    ///
    /// May be called again after it returned. Throws `closed`, `adopted` of a loop that its host runs,
    /// `alreadyRunning` from inside one of its own callbacks, or what the system says.
    public func run() throws(LoopError) {
        guard !isClosed else { throw .closed }
        guard !isAdopted else { throw .adopted }
        guard !isInsideRun else { throw .alreadyRunning }
        isInsideRun = true
        status.isRunning = true
        notify(.entry)
        defer {
            status.isRunning = false
            if status.isRecording { endRecord() }  // what ended the last sleep
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
    ///
    /// Does nothing to an adopted loop, which its host stops.
    public func stop() {
        status.isRunning = false
    }

    /// One round: dispatch all that is ready, then do work while nothing is, else sleep.
    private func turn() throws(LoopError) {
        counts.turns += 1
        while try pass(), isRunning {}
        let worked = isRunning && workBeforeIdle()
        if status.isRecording { endRecord() }
        guard !worked, isRunning else { return }
        try sleep()
    }

    /// One poll: dispatches ready descriptors, signals and posts, then the timers that are due.
    private func pass() throws(LoopError) -> Bool {
        counts.polls += 1
        try setAlarm()
        let before = counts.dispatched
        try base.poll()
        let fired = fireTimers()
        if inbox.hasUnrung, backlog.isEmpty {
            dispatch(.inbox) { deliver { inbox.emptyUnrung() } }
        }
        guard counts.dispatched != before || fired else { return false }
        lull.isOver()
        return true
    }

    /// Sleeps until something is ready, and dispatches it; on virtual time moves to the next thing
    /// due instead, or ends the run if nothing ever will be.
    private func sleep() throws(LoopError) {
        lull.isOver()
        guard !inbox.hasUnrung else { return }  // an observer has had a task go on
        switch clock {
        case .monotonic:
            try setAlarm()
            fallAsleep()
            try base.wait()
        case .virtual(let time):
            let next = min(timers.next, time.nextHappening ?? .distantFuture)
            guard next < .distantFuture else { return stop() }
            fallAsleep()
            time.advance(to: next)
        }
        wakeUp()
    }

    func fallAsleep() {
        isAsleep = true
        asleepSince = clock.now
        counts.sleeps += 1
    }

    /// Tells observers, once, that the sleep is over, before anything is dispatched.
    func wakeUp() {
        guard isAsleep else { return }
        isAsleep = false
        let now = clock.now
        lastWake = now
        counts.timeAsleep += asleepSince.duration(to: now)
        recorder?.add(.sleep, from: asleepSince, to: now)
        notify(.afterIdle)
    }

    /// Ends everything that is on the loop, and lets go of it; nothing is called afterwards.
    ///
    /// The loop's queues are closed too: jobs that wait end as cancelled, inside this call. What was
    /// posted and hasn't arrived isn't called. What tasks wait for here, a lull, a moment or events,
    /// ends; those that live here go on when another loop serves their executor, those from elsewhere
    /// at once.
    ///
    /// It may be called from inside any of the loop's callbacks: `run` returns when that has, and a job
    /// that closes its own loop is told of its end when its run is over. What is asked of a closed loop
    /// is a `closed` error where the call throws, and nothing where it doesn't: timers don't fire,
    /// observers aren't active, queues drop what they are handed, ports take nothing.
    ///
    /// A loop that is dropped closes by itself, but one that is held by its own closures can't be.
    public func close() {
        guard !isClosed else { return }
        status.isClosed = true  // first: what is called from here on finds it closed
        status.isRunning = false
        // Off the base before anybody is told of an end: whoever is may have a host dispatch.
        inboxWatch?.detach()
        alarmWatch?.detach()
        host.detach()
        for watch in watches.values { watch.pause() }
        // Taken out first, let go of afterwards: what closures hold may call the loop as it goes.
        let listeners = (onTurn, turnListeners)
        onTurn = nil
        turnListeners = []
        var timers = TimerTable()
        var ports = SlotTable<(any Sendable) -> Void>()
        swap(&self.timers, &timers)
        swap(&self.ports, &ports)
        closeTasks()
        for queue in observers.queues { queue.close() }
        for observer in observers.all { observer.cancel() }
        for watch in watches.values { watch.cancel() }
        withExtendedLifetime((listeners, ports)) {}
    }
}

/// What a loop is up to.
struct Status {
    var isRunning = false
    var isClosed = false
    /// Whether a turn is recorded, or the next will be.
    var isRecording = false
    var mode = LoopMode.default
}

// What changes in each pass.
extension MainLoop {
    var status: Status {
        @inline(__always) _read { yield statusCell.value }
        @inline(__always) _modify { yield &statusCell.value }
    }

    var host: Host {
        @inline(__always) _read { yield hostCell.value }
        @inline(__always) _modify { yield &hostCell.value }
    }

    var observers: ObserverTable {
        @inline(__always) _read { yield observersCell.value }
        @inline(__always) _modify { yield &observersCell.value }
    }

    var counts: Statistics {
        @inline(__always) _read { yield countsCell.value }
        @inline(__always) _modify { yield &countsCell.value }
    }

    var lull: Lull {
        @inline(__always) _read { yield lullCell.value }
        @inline(__always) _modify { yield &lullCell.value }
    }

    /// What was taken out of the inbox and not run yet.
    var backlog: Inbox.Backlog {
        @inline(__always) _read { yield backlogCell.value }
        @inline(__always) _modify { yield &backlogCell.value }
    }

    var timers: TimerTable {
        @inline(__always) _read { yield timersCell.value }
        @inline(__always) _modify { yield &timersCell.value }
    }

    var expectations: Expectations {
        @inline(__always) _read { yield expectationsCell.value }
        @inline(__always) _modify { yield &expectationsCell.value }
    }
}
