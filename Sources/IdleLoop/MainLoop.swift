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
/// What is given to the loop stays until it's over: a timer, watch or observer needn't be held, and
/// each has a token with `cancel()` to end it by. So a closure that holds the loop keeps it alive
/// until then, or until the loop is closed. Only an ``IdleQueue`` lives by who holds it.
public final class MainLoop {
    /// The way in for other threads.
    public let inbox: Inbox
    let context: LoopContext
    let observers: Observers
    private let base: EventBase
    private let turns: TurnListeners
    let deliveries: Deliveries
    private var watches: [ObjectIdentifier: Watch] = [:]
    private var inboxWatch: Watch?
    private var alarmWatch: Watch?
    /// When the sleep began that the loop is in.
    private var asleepSince: Instant?
    /// How much of what was dispatched or fired is no work, as nothing but the loop's own upkeep
    /// came of it.
    private var housekeeping = 0
    /// What a forked child has to do besides, by whom it's done for.
    private var forkHandlers: [ObjectIdentifier: () throws(LoopError) -> Void] = [:]
    /// What there is for tasks, if any live here.
    var servedTasks: LoopTasks?

    /// A loop on the machine's clock, or on virtual time.
    ///
    /// `inboxCapacity` bounds what other threads can have waiting. Throws if the process is out of
    /// descriptors or memory.
    public convenience init(
        clock: LoopClock = .monotonic, inboxCapacity: Int = 65_536
    ) throws(LoopError) {
        try self.init(try EventBase(), clock, inboxCapacity: inboxCapacity)
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
    public convenience init(
        adopting base: OpaquePointer?, inboxCapacity: Int = 65_536
    ) throws(LoopError) {
        guard let base = unsafe base else { throw .noBase }
        let guest = unsafe EventBase(adopting: base)
        try self.init(guest, .monotonic, inboxCapacity: inboxCapacity)
        // What is called here is taken off the base before the loop is gone, and a weak reference would
        // make each reference to the loop slower.
        context.host = try Host(
            of: self.base, wake: { [inbox] in inbox.ring() },
            isIdle: { [unowned self] in hostIsIdle() },
            willSleep: { [unowned self] in hostWillSleep() })
        context.status.mayWork = true
    }

    private init(
        _ base: consuming EventBase, _ clock: LoopClock, inboxCapacity: Int
    ) throws(LoopError) {
        inbox = try Inbox(capacity: inboxCapacity, isLookedInto: base.isOwn)
        context = try LoopContext(clock: clock)
        observers = Observers(on: context)
        turns = TurnListeners(on: context)
        deliveries = Deliveries(from: inbox, on: context)
        self.base = base
        inboxWatch = Watch(loop: self, .inbox) { [unowned self] _ in
            deliver { inbox.empty() }
        }
        alarmWatch = Watch(loop: self, .timers) { [unowned self] _ in
            context.answerAlarm()
            countHousekeeping()  // its timers are counted themselves
        }
        try watchOwnDescriptors()
    }

    deinit {
        close()
    }

    /// Watches what the loop has for itself, which doesn't keep a host's dispatch from ending.
    private func watchOwnDescriptors() throws(LoopError) {
        try inboxWatch?.attach(
            to: inbox.descriptor, .readable, on: base, isInternal: !base.isOwn)
        try alarmWatch?.attach(
            to: context.alarmDescriptor, .readable, on: base, isInternal: !base.isOwn)
    }

    /// Where the loop takes its time from.
    public var clock: LoopClock { context.clock }

    /// Whether the loop lives on a host's base.
    package var isAdopted: Bool { !base.isOwn }

    /// Whether the loop is inside `run` and wasn't told to stop; always false of an adopted one.
    package var isRunning: Bool { context.mayWork && base.isOwn }

    /// Whether the loop was closed, and calls nobody any more.
    public var isClosed: Bool { context.isClosed }

    /// Told, after each turn in which something ran, what ran and for how long.
    ///
    /// Nil, and free of cost, unless set. Set from inside a turn it begins with the next.
    public var onTurn: ((Turn) -> Void)? {
        get { turns.first }
        set { if !isClosed { turns.first = newValue } }
    }

    /// Has `body` be told of each turn, beside `onTurn`, until `owner` gives nil.
    package func listenToTurns(for owner: AnyObject, _ body: ((Turn) -> Void)?) {
        if !isClosed { turns.set(for: owner, body) }
    }

    /// What a list that hangs on the loop is doing; observers and queues say in which mode they run.
    ///
    /// One mode at a time. Work that was resting goes on when the mode is one of its own again.
    public var mode: LoopMode {
        get { context.status.mode }
        set {
            precondition(
                newValue == .default || newValue == .tracking, "a loop is in one mode at a time")
            guard newValue != context.status.mode else { return }
            context.status.mode = newValue
            for queue in observers.queues { queue.modeChanged() }
            context.wantIdle()
        }
    }

    /// What the loop has done so far.
    public var statistics: Statistics {
        observers.queues.reduce(into: context.counts) { $0.jobs.add($1.statistics) }
    }

    /// The counts of its queues by name, those of one name together.
    ///
    /// From the first call on, queues that have gone count on.
    package var queueStatistics: [String: QueueStatistics] { observers.queueStatistics() }

    /// A number that grows with all that the loop does for others: callbacks, timers and idle passes
    /// with work, but not what was counted as housekeeping.
    var work: Int {
        context.counts.dispatched + context.counts.timersFired + context.lull.worked - housekeeping
    }

    /// Notes, from inside a timer, that this time nothing came of it but upkeep: of what is told of a
    /// loop at work nothing is told for it, so that timers of this kind don't keep each other going.
    package func countHousekeeping() {
        housekeeping += 1
    }

    /// Runs until `stop()` is called; on virtual time also until nothing will ever happen again.
    ///
    /// May be called again after it returned. Throws `closed`, `adopted` of a loop that its host runs,
    /// `alreadyRunning` from inside one of its own callbacks, or what the system says.
    public func run() throws(LoopError) {
        guard !isClosed else { throw .closed }
        guard !isAdopted else { throw .adopted }
        guard !context.status.isInsideRun else { throw .alreadyRunning }
        context.status.isInsideRun = true
        context.status.mayWork = true
        observers.notify(.entry)
        defer {
            context.status.mayWork = false
            if context.status.isRecording { turns.endTurn() }  // what ended the last sleep
            observers.notify(.exit)
            context.status.isInsideRun = false
        }
        while context.mayWork { try turn() }
    }

    /// Runs until `instant`, inclusive: what is due at that moment still happens.
    public func run(until instant: Instant) throws(LoopError) {
        let end = context.schedule(at: instant) { [unowned self] in stop() }
        defer { context.cancel(end) }
        try run()
    }

    /// Ends `run` after the pass under way; from another thread post it to the inbox.
    ///
    /// Does nothing to an adopted loop, which its host stops.
    public func stop() {
        if base.isOwn { context.status.mayWork = false }
    }

    // MARK: - The turn

    /// One round: dispatch all that is ready, then do work while nothing is, else sleep.
    private func turn() throws(LoopError) {
        context.counts.turns += 1
        while try pass(), context.mayWork {}
        let worked = context.mayWork && observers.workBeforeIdle()
        if context.status.isRecording { turns.endTurn() }
        guard !worked, context.mayWork else { return }
        try sleep()
    }

    /// One poll: dispatches ready descriptors, signals and posts, then the timers that are due.
    private func pass() throws(LoopError) -> Bool {
        context.counts.polls += 1
        try context.setAlarm()
        let before = context.counts.dispatched
        try base.poll()
        let fired = context.fireTimers()
        if inbox.hasUnrung, deliveries.isEmpty {
            dispatch(.inbox) { deliver { inbox.emptyUnrung() } }
        }
        guard context.counts.dispatched != before || fired else { return false }
        context.lull.isOver()
        return true
    }

    /// Sleeps until something is ready, and dispatches it; on virtual time moves to the next thing
    /// due instead, or ends the run if nothing ever will be.
    private func sleep() throws(LoopError) {
        context.lull.isOver()
        guard !inbox.hasUnrung else { return }  // an observer has had a task go on
        switch clock {
        case .monotonic:
            try context.setAlarm()
            fallAsleep()
            try base.wait()
        case .virtual(let time):
            let next = min(context.nextTimer, time.nextHappening ?? .distantFuture)
            guard next < .distantFuture else { return stop() }
            fallAsleep()
            time.advance(to: next)
        }
        wakeUp()
    }

    /// The turn of an adopted loop: called when nothing more urgent is active on the host's base.
    private func hostIsIdle() {
        guard let host = context.host else { return }
        host.enter()
        wakeUp()
        context.counts.polls += 1
        if host.isBusy {
            context.counts.busyPasses += 1
            context.lull.isOver()
            host.wantsIdle = true
            if context.status.isRecording { turns.endTurn() }
        } else {
            context.counts.turns += 1
            let worked = observers.workBeforeIdle()
            if context.status.isRecording { turns.endTurn() }
            if worked {
                host.wantsIdle = true
                host.hasWorked(from: context.lull.start, to: context.lull.fresh)
            } else {
                context.lull.isOver()
                host.rests()
                fallAsleep()
            }
        }
        leave(host)
    }

    /// Called by libevent 2.2 when the host's loop is about to sleep.
    private func hostWillSleep() {
        guard let host = context.host else { return }
        wakeUp()  // another pass of the host's has come and gone unseen
        host.enter()
        observers.notify(.beforeIdle)
        fallAsleep()
        leave(host)
    }

    private func leave(_ host: Host) {
        host.leave()
        if !host.isInside, !isClosed { context.settle(host) }
    }

    /// Has an adopted loop call its observers and workers in the host's next idle pass.
    ///
    /// For work that comes up where the loop can't see it. Any other loop needs no poking.
    public func poke() {
        context.wantIdle()
    }

    private func fallAsleep() {
        asleepSince = clock.now
        context.counts.sleeps += 1
    }

    /// Tells observers, once, that the sleep is over, before anything is dispatched.
    private func wakeUp() {
        guard let start = asleepSince else { return }
        asleepSince = nil
        let now = clock.now
        context.lastWake = now
        context.counts.timeAsleep += start.duration(to: now)
        context.recorder?.add(.sleep, from: start, to: now)
        observers.notify(.afterIdle)
    }

    // MARK: - Callbacks from the kernel's queue

    /// Runs such a callback, with what belongs before and after it.
    func dispatch(_ work: Turn.Work, _ body: () -> Void) {
        let host = context.host
        host?.enter()
        wakeUp()
        context.counts.dispatched += 1
        context.lull.isOver()
        if context.recorder == nil {
            body()
        } else {
            context.record(work, body)
        }
        guard let host else { return }
        if context.fireTimers() { host.updateTime() }  // jobs may have run, past their timeout
        if !observers.isIndifferentToIdle || context.status.isRecording { host.wantsIdle = true }
        leave(host)
    }

    /// Runs what was posted, as much of it as there's time for.
    private func deliver(_ take: () -> [Inbox.Message]) {
        deliveries.deliver(take) { message in
            switch message {
            case .call(let body): body(self)
            case .job(let job), .guest(let job): run(job)
            case .value, .taken: break
            }
        }
    }

    /// Has a watch be told, and keeps it until it's cancelled.
    func keep(
        _ watch: Watch, of descriptor: Int32, _ kind: EventHandle.Kind, isInternal: Bool = false
    ) throws(LoopError) -> Watch {
        try resume(watch, of: descriptor, kind, isInternal: isInternal)
        watches[ObjectIdentifier(watch)] = watch
        return watch
    }

    /// Has a watch be told that was paused.
    func resume(
        _ watch: Watch, of descriptor: Int32, _ kind: EventHandle.Kind, isInternal: Bool = false
    ) throws(LoopError) {
        guard !isClosed else { throw .closed }
        try watch.attach(
            to: descriptor, kind, on: base, isInternal: isInternal && !base.isOwn)
    }

    func forget(_ watch: Watch) {
        watches[ObjectIdentifier(watch)] = nil
    }

    // MARK: - Forks

    /// Gives a forked child a loop of its own; to be called in the child before anything else of
    /// the loop, and not from inside its callbacks.
    ///
    /// The parent's loop is left alone: neither steals the other's wake-ups. Timers, watches,
    /// observers and jobs are there in both; what other threads had posted arrives in the parent
    /// only, and work that was on a worker ends in the child with `lostInFork`. On an adopted base
    /// the host calls `event_reinit` first, as libevent asks it to.
    ///
    /// Throws `postingWhileForking` if another thread was just posting when the process forked, or
    /// what the system says; the child's loop is of no use then. Throws `insideCallback` in a child
    /// that was forked inside one of the loop's callbacks, and `closed`; then nothing was done.
    public func reinitAfterFork() throws(LoopError) {
        guard !isClosed else { throw .closed }
        guard !context.isInside else { throw .insideCallback }
        try base.reinit()
        // The events first: the kernel's queue knows descriptors by what they're open on.
        inboxWatch?.pause()
        alarmWatch?.pause()
        try inbox.renew()
        deliveries.forget()
        try context.renewAlarm()
        try watchOwnDescriptors()
        for handler in forkHandlers.values { try handler() }
        context.settle()
    }

    /// Has `body` called in a forked child, until `owner` gives nil.
    func whenForked(for owner: AnyObject, _ body: (() throws(LoopError) -> Void)?) {
        forkHandlers[ObjectIdentifier(owner)] = body
    }

    // MARK: - The end

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
        context.status.isClosed = true  // first: what is called from here on finds it closed
        context.status.mayWork = false
        // Off the base before anybody is told of an end: whoever is may have a host dispatch.
        inboxWatch?.detach()
        alarmWatch?.detach()
        context.host?.detach()
        context.host = nil
        for watch in watches.values { watch.pause() }
        // Let go of at the end: what closures hold may call the loop as it goes.
        let timers = context.closeTimers()
        turns.close()
        closeTasks(deliveries.close())
        observers.close()
        for watch in watches.values { watch.cancel() }
        _ = consume timers
    }
}
