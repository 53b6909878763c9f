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
    /// The executor for tasks that run in the lulls of processors.
    public let lanes: LaneExecutor
    let context: LoopContext
    let turn: LoopTurn
    /// Whether a host runs the loop.
    package let isAdopted: Bool
    /// The handlers to be called in a forked child, by owner.
    private var forkHandlers: [ObjectIdentifier: () throws(LoopError) -> Void] = [:]
    /// The support for tasks, once there are any.
    var servedTasks: LoopTasks?
    /// The pieces of tasks that run on lanes, once there are any.
    var taskPieces: (any TaskPieces)?
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
        try unsafe self.init(adopting: base, inboxCapacity: inboxCapacity, servesMainQueue: true)
    }

    /// Creates a loop on a base that a host drives.
    ///
    /// A library with a Dispatch of its own, whose main queue nobody uses, has no descriptor for that.
    package convenience init(
        adopting base: OpaquePointer?, inboxCapacity: Int = 65_536, servesMainQueue: Bool
    ) throws(LoopError) {
        guard let base = unsafe base else { throw .noBase }
        try unsafe self.init(
            EventBase(adopting: base), .monotonic, inboxCapacity: inboxCapacity,
            host: LibeventHost(of: base), servesMainQueue: servesMainQueue)
    }

    /// Creates a loop that is a guest of a program's own loop, of whatever kind.
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
        on host: DescriptorHost, inboxCapacity: Int = 65_536
    ) throws(LoopError) {
        try self.init(guestOf: host, inboxCapacity: inboxCapacity)
    }

    /// Creates a loop that is a guest of a host's loop.
    package convenience init(
        guestOf host: some LoopHost, inboxCapacity: Int = 65_536, servesMainQueue: Bool = true
    ) throws(LoopError) {
        try self.init(
            try EventBase(), .monotonic, inboxCapacity: inboxCapacity, host: host,
            servesMainQueue: servesMainQueue)
    }

    private init(
        _ base: consuming EventBase, _ clock: LoopClock, inboxCapacity: Int,
        host: (any LoopHost)? = nil, servesMainQueue: Bool = true
    ) throws(LoopError) {
        isAdopted = host != nil
        inbox = try Inbox(capacity: inboxCapacity, wakeHost: host?.wake)
        lanes = LaneExecutor(of: inbox)
        context = try LoopContext(clock: clock) { [inbox] in inbox.signal() }
        turn = LoopTurn(base, context, inbox)
        unsafe turn.dispatcher.owner = self
        try turn.watchOwnDescriptors()
        if let host { try turn.begin(on: host) }
        if servesMainQueue { try serveMainQueueIfPossible() }
    }

    deinit {
        context.isReleased = true
        close()
    }

    /// The engine of the loop's watches.
    var engine: LoopEngine { turn.engine }

    /// The clock of the loop.
    public var clock: LoopClock { context.clock }

    /// Whether the loop has pending work, for which a host's loop doesn't end.
    package var isPending: Bool { context.guest?.isPending ?? false }

    /// Whether the loop was closed, after which it calls no callbacks.
    package var isClosed: Bool { context.isClosed }

    /// A counter that grows with the loop's work, but not with housekeeping.
    var work: Int { context.state.work }

    /// Counts the current timer as housekeeping, from inside its callback.
    ///
    /// Periodic observers of a loop's work are not called for housekeeping, so that their timers
    /// don't keep each other running.
    package func countHousekeeping() { context.state.housekeeping += 1 }

    /// Runs until `stop()` is called; on virtual time, also until no timer or scripted event is
    /// left.
    ///
    /// May be called again after it has returned. Throws `closed`, `adopted` if a host runs the
    /// loop, `alreadyRunning` from inside one of its own callbacks, or the system's error.
    public func run() throws(LoopError) {
        guard !isClosed else { throw .closed }
        guard !isAdopted else { throw .adopted }
        guard !context.state.isInsideRun else { throw .alreadyRunning }
        context.state.isInsideRun = true
        context.state.mayWork = true
        turn.observers.notify(.entry)
        defer {
            context.state.mayWork = false
            turn.observers.notify(.exit)
            context.state.isInsideRun = false
        }
        try turn.run()
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
        if !isAdopted { context.state.mayWork = false }
    }

    /// Requests a call of an adopted loop's observers and workers in the host's next idle pass.
    ///
    /// Use it for work that the loop can't see. A loop on its own base doesn't need it.
    public func poke() {
        context.wantIdle()
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
        try turn.renew()
        for lanes in context.lanes { try lanes.reinitAfterFork() }
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
        turn.detach()
        // Released at the end: a `deinit` of what closures capture may call the loop.
        let timers = context.closeTimers()
        closeTasks(turn.dispatcher.close())
        turn.workers.close()
        for lanes in context.lanes { lanes.close() }
        turn.observers.close()
        engine.close()
        _ = consume timers
    }
}
