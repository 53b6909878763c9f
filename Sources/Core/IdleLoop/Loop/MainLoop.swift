internal import LullLibC

/// An event loop of one thread, with a phase before idle in which expensive work may run.
///
/// It is confined to the thread that created it and not `Sendable`; other threads use its `inbox`.
/// It drives its own libevent base and sleeps in the kernel when there is nothing to do, without a
/// timer or a wake-up.
///
/// ```swift
/// let loop = try MainLoop()
/// try loop.watch(0, for: .readable) { _ in _ = readLine(); loop.stop() }
/// try loop.run()
/// ```
///
/// It can also run on a base that a host drives: see `init(adopting:)`.
///
/// The loop keeps timers, watches and observers until they end; each has a token with `cancel()`,
/// which needn't be kept. A closure that captures the loop therefore keeps it alive until then, or
/// until the loop is closed. Only an ``IdleQueue`` lives as long as it is referenced.
public final class MainLoop {
    /// The inbox for other threads.
    public let inbox: Inbox
    let context: LoopContext
    let observers: Observers
    private let base: EventBase
    private let turns: TurnObservers
    let dispatcher: InboxDispatcher
    /// Whether a host runs the loop.
    package let isAdopted: Bool
    private var watches: [ObjectIdentifier: Watch] = [:]
    /// The watches of files by descriptor.
    private var watchedFiles: [Int32: [Watch]] = [:]
    private var inboxWatch: Watch?
    private var timerWatch: Watch?
    /// The watches that are ready, of a guest: called one by one, outside of libevent, so that a
    /// callback may run the host's loop.
    private var ready = Backlog<(watch: Watch, kind: EventHandle.Kind)>()
    /// The time at which the current sleep began.
    private var asleepSince: Instant?
    /// The number of dispatched events and fired timers that were only the loop's own housekeeping.
    private var housekeeping = 0
    /// The handlers to be called in a forked child, by owner.
    private var forkHandlers: [ObjectIdentifier: () throws(LoopError) -> Void] = [:]
    /// The support for tasks, once there are any.
    var servedTasks: LoopTasks?
    /// Whether the loop runs the work of the main queue.
    var servesMainQueue = false

    /// Creates a loop on the machine's clock, or on virtual time.
    ///
    /// On the main thread, it also runs what is queued for the main actor: see
    /// ``serveMainQueue()``. `inboxCapacity` limits the waiting posts of other threads. Throws if
    /// the process is out of descriptors or memory. Traps if `inboxCapacity` is less than one.
    public convenience init(
        clock: LoopClock = .monotonic, inboxCapacity: Int = 65_536
    ) throws(LoopError) {
        try self.init(try EventBase(), clock, inboxCapacity: inboxCapacity)
    }

    /// Creates a loop on a base that a host made and dispatches itself.
    ///
    /// The host calls `event_base_dispatch` or `event_base_loop` as before; `run`, `stop` and
    /// virtual time are not available for such a loop. The base may have one priority or several,
    /// and be made with locks or without. It isn't changed, it is only used on the thread that
    /// dispatches it, and when the loop is closed nothing is left on it. Close or release the loop
    /// before the base is freed. Pending work of the loop (a timer, a job that may run in the
    /// current mode, work on a worker) keeps the host's dispatch from ending, as an event of the
    /// host's own would; watching the inbox does not.
    ///
    /// An adopted loop can't know:
    ///
    /// - Whether the host sleeps. Observers of `beforeIdle` are called when the host's loop is idle
    ///   after a wake-up that involved this loop: a job was submitted, a timer, post or descriptor
    ///   of this loop was ready, or `poke()` was called. Other wake-ups of the host are not seen,
    ///   nor are `entry` and `exit`, and the time asleep is an estimate: from one such pass to the
    ///   next callback.
    /// - When the host's own libevent timers are due: a job delays them by up to its own duration.
    /// - With one priority, whether a descriptor that is always ready will ever stop: then no job
    ///   runs unless its queue has a `maxDeferral` or the job a timeout.
    ///
    /// To distinguish idle from busy, the loop reads the base's maximum of active events, which
    /// also resets it. With two loops on one base, the second may therefore take a busy host for an
    /// idle one; use one loop. Throws `noBase` for nil, or the system's error if there are no more
    /// descriptors.
    public convenience init(
        adopting base: OpaquePointer?, inboxCapacity: Int = 65_536
    ) throws(LoopError) {
        guard let base = unsafe base else { throw .noBase }
        try unsafe self.init(
            EventBase(adopting: base), .monotonic, inboxCapacity: inboxCapacity,
            host: LibeventHost(of: base))
    }

    /// Creates a loop that is a guest of a host's loop, of whatever kind.
    ///
    /// Everything that is said of an adopted loop in ``init(adopting:inboxCapacity:)`` applies: the
    /// host runs its loop as before, on one thread, from which alone the guest is used; `run`,
    /// `stop` and virtual time are not available. Close or release the loop before the host's ends.
    /// Throws the system's error if there are no more descriptors or no /proc, or the host's.
    ///
    /// ```swift
    /// let host = try DescriptorHost()
    /// let loop = try MainLoop(on: host)
    /// ```
    public convenience init(
        on host: some LoopHost, inboxCapacity: Int = 65_536
    ) throws(LoopError) {
        try self.init(try EventBase(), .monotonic, inboxCapacity: inboxCapacity, host: host)
    }

    private init(
        _ base: consuming EventBase, _ clock: LoopClock, inboxCapacity: Int,
        host: (any LoopHost)? = nil
    ) throws(LoopError) {
        isAdopted = host != nil
        inbox = try Inbox(
            capacity: inboxCapacity, isPolledByOwner: host == nil, wakeHost: host?.wake)
        context = try LoopContext(clock: clock)
        observers = Observers(on: context)
        turns = TurnObservers(on: context)
        dispatcher = InboxDispatcher(from: inbox, on: context)
        self.base = base
        inboxWatch = Watch(loop: self, .inbox, isInternal: true) { [unowned self] _ in
            deliver { inbox.empty() }
        }
        timerWatch = Watch(loop: self, .timers, isInternal: true) { [unowned self] _ in
            context.clearTimerFD()
            countHousekeeping()  // its timers are counted on their own
        }
        try watchOwnDescriptors()
        if let host { try begin(LoopGuest(of: self, on: host)) }
        try serveMainQueueIfPossible()
    }

    /// Begins to be a guest.
    private func begin(_ guest: LoopGuest) throws(LoopError) {
        if base.isOwn {
            guest.descriptor = try base.findDescriptor(watching: inbox.descriptor)
        }
        try guest.host.begin(guest)
        context.guest = guest
        context.status.mayWork = true
    }

    deinit {
        context.isReleased = true
        close()
    }

    /// Watches the loop's own descriptors, which don't keep a host's dispatch from ending.
    private func watchOwnDescriptors() throws(LoopError) {
        try inboxWatch?.attach(to: inbox.descriptor, .readable, on: base)
        try timerWatch?.attach(to: context.timerDescriptor, .readable, on: base)
    }

    /// The clock of the loop.
    public var clock: LoopClock { context.clock }

    /// Whether the loop is inside `run` and `stop` was not called; always false for an adopted
    /// loop.
    package var isRunning: Bool { context.mayWork && !isAdopted }

    /// Whether the loop has pending work, for which a host's loop doesn't end.
    package var isPending: Bool { context.guest?.isPending ?? false }

    /// Whether the loop was closed, after which it calls no callbacks.
    public var isClosed: Bool { context.isClosed }

    /// Calls `body` after each turn in which something ran, with the work and its duration, until
    /// the observer is cancelled.
    ///
    /// It costs nothing once the last of them is cancelled. If it's added during a turn, it is first
    /// called after the next one.
    @discardableResult
    public func observeTurns(_ body: @escaping (Turn) -> Void) -> Observer { turns.add(body) }

    /// The mode of the loop; observers and queues state the modes in which they run.
    ///
    /// The loop is in one mode at a time. Work that was resting continues when the loop is in one
    /// of its modes again. Traps if the new mode isn't a single one.
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

    /// The loop's counts so far.
    public var statistics: Statistics {
        observers.queues.reduce(into: context.counts) { $0.jobs.add($1.statistics) }
    }

    /// The counts of the loop's queues by name; those that were given equal names are added, and
    /// those without a name are listed one by one.
    ///
    /// From the first call on, queues that have gone count on, which costs nothing before. A queue
    /// without a name then continues the counts of one that has gone.
    public var queueStatistics: [String: QueueStatistics] { observers.queueStatistics() }

    /// A counter that grows with callbacks, fired timers and idle passes with work, but not with
    /// housekeeping.
    var work: Int {
        context.counts.dispatched + context.counts.timersFired + context.lull.worked - housekeeping
    }

    /// Counts the current timer as housekeeping, from inside its callback.
    ///
    /// Periodic observers of a loop's work are not called for housekeeping, so that their timers
    /// don't keep each other running.
    package func countHousekeeping() {
        housekeeping += 1
    }

    /// Runs until `stop()` is called; on virtual time, also until no timer or scripted event is
    /// left.
    ///
    /// May be called again after it has returned. Throws `closed`, `adopted` if a host runs the
    /// loop, `alreadyRunning` from inside one of its own callbacks, or the system's error.
    public func run() throws(LoopError) {
        guard !isClosed else { throw .closed }
        guard !isAdopted else { throw .adopted }
        guard !context.status.isInsideRun else { throw .alreadyRunning }
        context.status.isInsideRun = true
        context.status.mayWork = true
        observers.notify(.entry)
        defer {
            context.status.mayWork = false
            if context.status.isRecording { turns.endTurn() }  // events that ended the last sleep
            observers.notify(.exit)
            context.status.isInsideRun = false
        }
        while context.mayWork { try turn() }
    }

    /// Runs until `instant`, inclusive: timers that are due at that time still fire.
    public func run(until instant: Instant) throws(LoopError) {
        let end = context.schedule(at: instant) { [unowned self] in stop() }
        defer { context.cancel(end) }
        try run()
    }

    /// Ends `run` after the current pass; from another thread, post the call to the inbox.
    ///
    /// It has no effect on an adopted loop, which its host stops.
    public func stop() {
        if !isAdopted { context.status.mayWork = false }
    }

    // MARK: - The turn

    /// Runs one turn: dispatches all that is ready, then does work while nothing is ready, else
    /// sleeps.
    private func turn() throws(LoopError) {
        context.counts.turns += 1
        while try pass(), context.mayWork {}
        let worked = context.mayWork && observers.workBeforeIdle()
        if context.status.isRecording { turns.endTurn() }
        guard !worked, context.mayWork else { return }
        try sleep()
    }

    /// Polls once: dispatches ready descriptors, signals and posts, then the timers that are due.
    private func pass() throws(LoopError) -> Bool {
        context.counts.polls += 1
        try context.armTimerFD()
        let before = context.counts.dispatched
        try base.poll()
        let fired = context.fireTimers()
        if inbox.hasUnsignaled, dispatcher.isEmpty {
            dispatch(.inbox) { deliver { inbox.emptyUnsignaled() } }
        }
        guard context.counts.dispatched != before || fired else { return false }
        context.lull.isOver()
        return true
    }

    /// Sleeps until something is ready, and dispatches it; on virtual time, moves to the next due
    /// time instead, or ends the run if there is none.
    private func sleep() throws(LoopError) {
        context.lull.isOver()
        guard !inbox.hasUnsignaled else { return }  // an observer has resumed a task
        switch clock {
        case .monotonic:
            try context.armTimerFD()
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

    /// Dispatches what is ready on a guest loop, when its host calls; returns whether anything was.
    func hostServes(_ guest: LoopGuest) -> Bool {
        guest.enter()
        defer { leave(guest) }
        context.counts.polls += 1
        let before = context.counts.dispatched
        callReady()
        try? base.poll()
        callReady()
        guard guest.isWokenByHost, !isClosed else { return context.counts.dispatched != before }
        if inbox.hasSignaled || !dispatcher.isEmpty {
            dispatch(.inbox) { deliver { inbox.empty() } }
        }
        context.noticeTimers()
        if context.hasTimerExpired { dispatch(.timers) { countHousekeeping() } }
        return context.counts.dispatched != before
    }

    private func callReady() {
        while let (watch, kind) = ready.popFirst() { watch.call(kind) }
    }

    /// Calls a watch that is ready, at once or, of a guest with a base of its own, after the poll.
    func isReady(_ watch: Watch, _ kind: EventHandle.Kind) {
        if context.guest != nil, base.isOwn {
            ready.append((watch, kind))
        } else {
            watch.call(kind)
        }
    }

    /// Passes to the host what a callback, which now runs the host's loop, has requested so far.
    func hostWillPoll(_ guest: LoopGuest) {
        if !ready.isEmpty || !dispatcher.isEmpty { inbox.signal() }
        context.updateHost(guest)
    }

    /// Runs the turn of a guest loop, when nothing more urgent is active on its host's.
    func hostIsIdle(_ guest: LoopGuest, isBusy: Bool) {
        guest.isIdling = true
        guest.enter()
        wakeUp()
        context.counts.polls += 1
        if isBusy {
            context.counts.busyPasses += 1
            context.lull.isOver()
            guest.wantsIdle = true
            if context.status.isRecording { turns.endTurn() }
        } else {
            context.counts.turns += 1
            context.lull.hostDue = guest.host.nextDue
            let worked = observers.workBeforeIdle()
            if context.status.isRecording { turns.endTurn() }
            if worked {
                guest.wantsIdle = true
                guest.hasWorked(from: context.lull.start, to: context.lull.fresh)
            } else {
                context.lull.isOver()
                fallAsleep()
            }
        }
        guest.isIdling = false
        leave(guest)
    }

    private func leave(_ guest: LoopGuest) {
        guest.leave()
        if !guest.isInside, !isClosed { context.updateHost(guest) }
    }

    /// Requests a call of an adopted loop's observers and workers in the host's next idle pass.
    ///
    /// Use it for work that the loop can't see. A loop on its own base doesn't need it.
    public func poke() {
        context.wantIdle()
    }

    private func fallAsleep() {
        asleepSince = clock.now
        context.counts.sleeps += 1
    }

    /// Notifies observers, once, that the sleep is over, before anything is dispatched.
    private func wakeUp() {
        guard let start = asleepSince else { return }
        asleepSince = nil
        let now = clock.now
        context.lastWake = now
        context.counts.timeAsleep += start.duration(to: now)
        context.recorder?.add(.sleep, from: start, to: now)
        observers.notify(.afterIdle)
    }

    // MARK: - Callbacks of libevent

    /// Runs a callback of libevent, with the steps before and after it.
    func dispatch(_ work: Turn.Work, _ body: () -> Void) {
        let guest = context.guest
        guest?.enter()
        wakeUp()
        context.counts.dispatched += 1
        context.lull.isOver()
        if context.recorder == nil {
            body()
        } else {
            context.record(work, body)
        }
        guard let guest else { return }
        if context.fireTimers() { guest.host.updateTime() }  // jobs past their timeout may have run
        if !observers.isIndifferentToIdle || context.status.isRecording { guest.wantsIdle = true }
        leave(guest)
    }

    /// Runs posted messages, as many as there is time for.
    private func deliver(_ take: () -> Backlog<Inbox.Message>) {
        dispatcher.deliver(take) { message in
            switch message {
            case .call(let body): body(self)
            case .job(let job), .foreign(let job): tasks.run(job)
            case .value: break
            }
        }
    }

    /// Attaches a watch, and keeps it until it's cancelled.
    func keep(
        _ watch: Watch, of descriptor: Int32, _ kind: EventHandle.Kind
    ) throws(LoopError) -> Watch {
        guard !isClosed else { throw .closed }
        let others = watch.file == nil ? [] : release(descriptor, for: watch)
        defer { for other in others { try? other.restore() } }
        try resume(watch, of: descriptor, kind)
        watches[ObjectIdentifier(watch)] = watch
        if watch.file != nil { watchedFiles[descriptor, default: []].append(watch) }
        return watch
    }

    /// Releases other watches of a descriptor, and returns those to be restored.
    ///
    /// libevent doesn't know that a descriptor was closed: it wouldn't ask the kernel to watch the
    /// number anew while there is another event of it.
    private func release(_ descriptor: Int32, for watch: Watch) -> [Watch] {
        guard let others = watchedFiles[descriptor] else { return [] }
        for other in others where other.file != watch.file { other.cancel() }
        let attached = others.filter { $0.file == watch.file && $0.isAttached }
        for other in attached { other.release() }
        return attached
    }

    /// Attaches a paused watch again.
    func resume(
        _ watch: Watch, of descriptor: Int32, _ kind: EventHandle.Kind
    ) throws(LoopError) {
        guard !isClosed else { throw .closed }
        try watch.attach(to: descriptor, kind, on: base)
        if let guest = context.guest, guest.isWokenByHost { try guest.host.watchDescriptor() }
    }

    func forget(_ watch: Watch) {
        watches[ObjectIdentifier(watch)] = nil
        guard watch.file != nil, let descriptor = watch.descriptor else { return }
        watchedFiles[descriptor]?.removeAll { $0 === watch }
        if watchedFiles[descriptor]?.isEmpty ?? false { watchedFiles[descriptor] = nil }
    }

    // MARK: - Forks

    /// Reinitializes the loop in a forked child; must be called in the child before any other use
    /// of the loop, and not from inside its callbacks.
    ///
    /// The parent's loop is unaffected: neither takes the other's wake-ups. Timers, watches,
    /// observers and jobs exist in both. Posts of other threads arrive in the parent only, and work
    /// that was on a worker ends in the child with `lostInFork`. On an adopted base, the host first
    /// calls `event_reinit`, as libevent requires.
    ///
    /// Throws `postingWhileForking` if another thread was posting during the fork, or the system's
    /// error; then the child's loop can't be used. Throws `insideCallback` in a child that was
    /// forked inside one of the loop's callbacks, and `closed`; then nothing has changed.
    public func reinitAfterFork() throws(LoopError) {
        guard !isClosed else { throw .closed }
        guard !context.isInside else { throw .insideCallback }
        try base.reinit()
        // The events first: the kernel's queue identifies descriptors by their open files.
        inboxWatch?.pause()
        timerWatch?.pause()
        try inbox.renew()
        dispatcher.forget()
        ready = Backlog()
        try context.renewTimerFD()
        try watchOwnDescriptors()
        if let guest = context.guest, base.isOwn {
            try guest.renew(try base.findDescriptor(watching: inbox.descriptor))
        }
        for handler in forkHandlers.values { try handler() }
        context.updateHost()
    }

    /// Sets a handler to be called in a forked child; nil removes the owner's handler.
    func whenForked(for owner: AnyObject, _ body: (() throws(LoopError) -> Void)?) {
        forkHandlers[ObjectIdentifier(owner)] = body
    }

    // MARK: - Closing

    /// Ends and releases everything on the loop; no callback is called afterwards.
    ///
    /// The loop's queues are closed too: waiting jobs end as cancelled, inside this call. Posts
    /// that have not arrived are discarded. Waits of tasks on the loop, for a lull, a time or
    /// events, end; the loop's own tasks continue when another loop serves their executor, other
    /// tasks at once.
    ///
    /// It may be called from inside any of the loop's callbacks: `run` returns after the callback
    /// has, and a job that closes its own loop ends when its run is over. Calls on a closed loop
    /// throw `closed` if they can throw, and have no effect otherwise: timers don't fire, observers
    /// aren't active, queues drop submitted jobs, ports accept nothing.
    ///
    /// A loop that is released closes itself, but not while its own closures keep it alive.
    public func close() {
        guard !isClosed else { return }
        context.close()  // first, so that later callbacks find it closed
        // Detached from the base before any callback of an end: such a callback may call the host's
        // dispatch.
        inboxWatch?.detach()
        timerWatch?.detach()
        context.guest?.end()
        context.guest = nil
        for watch in watches.values { watch.pause() }
        // Released at the end: a `deinit` of what closures capture may call the loop.
        let timers = context.closeTimers()
        turns.close()
        closeTasks(dispatcher.close())
        observers.close()
        for watch in watches.values { watch.cancel() }
        _ = consume timers
    }
}
