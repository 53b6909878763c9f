internal import LullLibC

/// A bounded queue of jobs that run only while its loop is idle.
///
/// The most urgent job runs first: a long one is a job in slices, and after each slice the most
/// urgent goes on, of one priority the one that has begun. Between two jobs or slices the loop polls,
/// so that a ready event waits for at most one of them, or for 50 µs of tiny ones:
///
/// ```swift
/// let queue = IdleQueue<String>(on: loop)
/// queue.submit("thumbnail 7", priority: .highest) { slot in
///     while !decoder.isFinished, !slot.isOver { try decoder.decodeSomeRows() }
///     return decoder.isFinished ? .done : .again
/// }
/// ```
///
/// A job that can't stop in the middle is submitted with its cost, or with a kind by which its cost
/// is learned. It is held back where it would make a frame or a timer later than its tolerance:
///
/// ```swift
/// queue.submit("page 3", cost: .milliseconds(4)) { _ in render(3); return .done }
/// queue.submit("page 4", kind: "page") { _ in render(4); return .done }
/// ```
///
/// A key is in the queue once: a second request joins the first. A job is cancelled by its key, or
/// by the ``IdleJob`` that `submit` returned. An empty queue costs nothing: no timer, no wake-up.
/// Several queues on one loop share its lulls by their weights.
///
/// A queue lives as long as it is referenced, and keeps its loop alive. Unlike timers, watches and
/// observers, which the loop keeps, a queue that is released is closed: waiting jobs end as
/// cancelled, and a running job ends with its current run.
public final class IdleQueue<Key: Hashable> {
    /// The loop in whose lulls the jobs run.
    public let loop: MainLoop
    @usableFromInline let core: JobQueue
    @usableFromInline let keys = KeyTable<Key>()

    /// Creates a queue on `loop`, whose jobs run before idle at the given place among other
    /// observers.
    ///
    /// Traps if a limit, the slice or `maxDeferral` of the configuration isn't more than zero, or
    /// it has no weight.
    public init(
        on loop: MainLoop, configuration: QueueConfiguration = .init(), order: Int = 1_000_000
    ) {
        self.loop = loop
        core = JobQueue(on: loop.context, configuration: configuration, keys: keys)
        loop.add(core, order: order)
    }

    deinit { close() }

    /// The queue's statistics.
    public var statistics: QueueStatistics { core.machine.statistics }

    /// The number of waiting jobs, including those between two slices or off the loop.
    public var count: Int { core.machine.table.count }

    /// Whether no job waits.
    public var isEmpty: Bool { count == 0 }

    /// Whether the key has a job here, waiting or running.
    @inlinable
    package func contains(_ key: Key) -> Bool { slot(of: key) != nil }

    /// Returns the priority of the key's job; nil if it has none here.
    package func priority(of key: Key) -> Priority? {
        slot(of: key).map { core.machine.table[$0].order.priority }
    }

    /// Returns the time at which a worker began the part of the key's job that runs off the loop;
    /// nil if none has, or if the loop has taken its outcome.
    ///
    /// With threads it takes a lock.
    package func workStart(of key: Key) -> Instant? {
        slot(of: key).flatMap { core.machine.table.offLoopWork(of: $0)?.start }
    }

    /// The clock of the queue's loop.
    package var clock: LoopClock { loop.clock }

    /// Whether jobs are accepted: the queue is neither closed nor shutting down.
    ///
    /// Check this before a job is submitted again from its own `onEnd`: a job that isn't accepted
    /// ends inside `submit`.
    public var isAccepting: Bool { core.isAccepting }

    /// Returns whether a job of this priority would be accepted without dropping another of the same
    /// or a higher priority.
    public func hasRoom(for priority: Priority) -> Bool {
        isAccepting && core.machine.hasRoom(for: priority)
    }

    // MARK: - Submitting

    /// Submits a job that runs in lulls, in slices if it returns `again`.
    ///
    /// `body` is called in a lull, and returns whether the job is done. `rank` orders jobs of one
    /// priority that have not begun, the smaller first; values beyond ±2^59 are clamped. Jobs of equal
    /// rank run in the order of submission.
    ///
    /// A job with a `cost`, which is the duration of one run, or else with a `kind`, is a whole job.
    /// It is started only if it is expected to end before a timer or frame would be later than its
    /// tolerance. Given costs are corrected by what they have turned out to be, and a kind that was
    /// never seen is expected to cost what all kinds do. A whole job that never fits isn't held back
    /// for ever: if it was held back before, it starts in the next lull at whose beginning it's the most
    /// urgent, right after what was due, where it does least harm, or else in the ninth into which it
    /// doesn't fit. Either is counted as an overrun if it makes something late. Any other job is
    /// expected to stop when its slot `isOver`.
    ///
    /// When a job has waited for `timeout`, since its submission or its last slice, it runs regardless
    /// of anything else, also of the loop's mode, and its slot's `didTimeout` is true.
    ///
    /// `onEnd` is called once, on the loop, however the job ends: inside the call or after the run that
    /// ended it, when the change is complete. If a job of the key already waits, the request joins it:
    /// the job takes the new priority and rank, `body` is released, and `onEnd` is called with the
    /// job's. If the key's job is running and returns `again`, the request joins it then; otherwise
    /// `body` runs after it, as a job of its own. A queue that isn't ``isAccepting`` drops the job
    /// before this returns. O(log n).
    @discardableResult @inlinable
    public func submit(
        _ key: Key, priority: Priority = .normal, rank: Int = 0, cost: Duration? = nil,
        kind: WorkKind? = nil, timeout: Duration? = nil,
        onEnd: consuming ((JobEnd) -> Void)? = nil,
        _ body: consuming @escaping (borrowing IdleSlot) throws -> JobProgress
    ) -> IdleJob {
        submit(
            key,
            core.job(
                hash: hash(of: key), priority: priority, rank: rank, cost: cost, kind: kind,
                timeout: timeout, onEnd: consume onEnd, body: consume body))
    }

    /// Submits a job that may run anywhere: on a lane, which is a thread for the lulls of another
    /// processor, or in the loop's own lulls.
    ///
    /// `body` is handed over with all that it captures: the loop keeps nothing of it. One thread at a
    /// time calls it, and another may call it for the next slice. Where a lane is free, the most urgent
    /// job that may run anywhere runs there, in slices; after each the lane sees that the job was
    /// cancelled, or that a more urgent one waits. The loop's lulls are left to other jobs as long as
    /// lanes make progress. Where they don't, as other programs have the processors, or where there
    /// are none (see ``QueueConfiguration/lanes``), the loop runs the job. Everything else is as for any
    /// job: its place in the queue, its end, which is told on the loop, and its statistics.
    @discardableResult @_disfavoredOverload
    public func submit(
        _ key: Key, priority: Priority = .normal, rank: Int = 0, cost: Duration? = nil,
        kind: WorkKind? = nil, timeout: Duration? = nil, onEnd: ((JobEnd) -> Void)? = nil,
        anywhere body: sending @escaping (borrowing IdleSlot) throws -> JobProgress
    ) -> IdleJob {
        var job = core.job(
            hash: hash(of: key), priority: priority, rank: rank, cost: cost, kind: kind,
            timeout: timeout, onEnd: onEnd, body: body)
        core.giveToLanes(&job)
        return submit(key, job)
    }

    /// Submits a job whose first part runs on a worker and whose rest runs in lulls.
    ///
    /// `work` runs off the loop. When its result arrives, `then` is called on the loop and returns
    /// the rest of the job, which runs in a lull. It is also called when the job is cancelled after
    /// the work is finished and before its result has arrived, so that no finished work is lost.
    /// The job is in the queue all the time, so its priority can be changed and it can be
    /// cancelled. `cost` is the expected duration of `work`; on virtual time it takes exactly that.
    @discardableResult
    public func submit<Output: Sendable>(
        _ key: Key, priority: Priority = .normal, rank: Int = 0, on pool: WorkerPool,
        cost: Duration = .zero, timeout: Duration? = nil, onEnd: ((JobEnd) -> Void)? = nil,
        work: @escaping @Sendable () throws -> Output,
        then: @escaping (Output) -> (borrowing IdleSlot) throws -> JobProgress
    ) -> IdleJob {
        let body = WorkerBody(cost: cost, work: work)
        let work = OffLoopWork(on: pool.pending, then: then) { pool.add(body, $0, $1) }
        return submit(
            key,
            core.job(
                hash: hash(of: key), priority: priority, rank: rank, timeout: timeout,
                onEnd: onEnd, offLoopWork: work))
    }

    /// Submits a job whose first part is an asynchronous operation, such as a transfer, and whose
    /// rest runs in lulls.
    ///
    /// It's the same as with a ``WorkerPool``, but `start` is called on the loop when the pool has a
    /// place, and the operation that it returned is cancelled if the job is. Meanwhile the operation
    /// may have what has come so far processed in lulls, in the job's turn; see
    /// ``OperationCompletion/process(_:)``.
    @discardableResult
    package func submit<Output>(
        _ key: Key, priority: Priority = .normal, rank: Int = 0, on pool: OperationPool,
        timeout: Duration? = nil, onEnd: ((JobEnd) -> Void)? = nil,
        start: @escaping (OperationCompletion<Output>) -> any PendingOperation,
        then: @escaping (Output) -> (borrowing IdleSlot) throws -> JobProgress
    ) -> IdleJob {
        let start = { (completion: OperationCompletion<Any>) in
            start(
                OperationCompletion {
                    completion($0.map { $0 as Any })
                } process: {
                    completion.process($0)
                })
        }
        let work = OffLoopWork(on: pool.pending, then: then) { pool.add(start, $0, $1) }
        return submit(
            key,
            core.job(
                hash: hash(of: key), priority: priority, rank: rank, timeout: timeout,
                onEnd: onEnd, offLoopWork: work))
    }

    /// Submits a job, and creates its token only where the caller uses it.
    @inlinable @inline(__always)
    func submit(_ key: Key, _ job: consuming DetachedJob) -> IdleJob {
        let slot = slot(of: key, hash: job.hash)
        return IdleJob(core.submit(job, at: slot) { keys.insert(key, at: $0) }, in: core)
    }

    // MARK: - Changing and cancelling

    /// Whether the running job may go on anywhere; else it's the loop's turn, since there are no lanes,
    /// or some make no progress.
    package var hasLanes: Bool { core.hasLanes }

    /// The number of lanes that make progress.
    package var laneCount: Int { core.lanes?.inUse ?? 0 }

    /// Whether lanes have room for the running job.
    package var lanesHaveRoom: Bool { core.lanesHaveRoom }

    /// Lets the running job, which then returns `again`, wait until lanes have room for it and
    /// ``lanesHaveRoom`` is true: as it hasn't begun, it holds nothing meanwhile.
    package func awaitLane() { core.machine.leave(nil) }

    /// Lets the running job go on anywhere, in slices, until `body` returns `done`.
    ///
    /// Then the job's own body is called again in a lull of the loop, to commit what was done. The
    /// job's body calls it, and then returns `again`.
    package func continueAnywhere(
        _ body: sending @escaping (borrowing IdleSlot) throws -> JobProgress
    ) {
        core.continueAnywhere(body)
    }

    /// Changes the priority and rank of the key's job; returns false if it has none here.
    ///
    /// For a job that has begun, that counts from its next slice on. For one off the loop, the order
    /// in its pool changes too. O(log n).
    @discardableResult @inlinable
    public func reprioritize(_ key: Key, priority: Priority, rank: Int = 0) -> Bool {
        guard let slot = slot(of: key) else { return false }
        core.reprioritize(slot, priority: priority, rank: rank)
        return true
    }

    /// Lets the key's job run again after it has returned ``JobProgress/waiting``; returns false if
    /// it has none here.
    ///
    /// It then waits for a lull, by its priority. It may be called from inside any callback, and
    /// from inside the job's own run, which doesn't wait then. A job that doesn't wait isn't
    /// affected. O(log n).
    @discardableResult @inlinable
    public func resume(_ key: Key) -> Bool {
        guard let slot = slot(of: key) else { return false }
        core.resume(slot)
        return true
    }

    /// Cancels the key's job; returns false if it has none here.
    ///
    /// A call from inside the job's own run means that it has no further slice. O(log n).
    @discardableResult @inlinable
    public func cancel(_ key: Key) -> Bool {
        guard let slot = slot(of: key) else { return false }
        return core.cancel(slot)
    }

    /// Cancels every job that is in the queue now, the oldest first.
    package func cancelAll() { core.cancel(core.machine.table.ids) }

    /// Cancels every job whose key satisfies `fits`, the oldest first, and returns their number.
    ///
    /// For example, it cancels all thumbnails below a folder when its disk is removed. It checks
    /// every key, O(n), and takes O(log n) for each that fits. Jobs that the callbacks submit are
    /// not cancelled.
    @discardableResult
    public func cancel(where fits: (Key) throws -> Bool) rethrows -> Int {
        let ids = try core.machine.table.ids.filter { id in
            try core.machine.table.contains(id) && keys[id.index].map(fits) ?? false
        }
        return core.cancel(ids)
    }

    /// Cancels every job and leaves the loop; jobs that are submitted afterwards are dropped.
    ///
    /// A queue is also closed when its loop is closed, or if the loop was closed when the queue was
    /// created. When a job calls this, it has no further slice.
    public func close() { core.close() }

    /// Accepts no more jobs, runs the present ones for `time`, and then cancels the rest.
    ///
    /// Jobs that are submitted from now on are dropped, even if their key has a job here. When no
    /// job is left, or `time` has passed, the remaining jobs end as cancelled, including those
    /// whose work is running off the loop. The queue is closed, and `completion` is called once, on
    /// the loop, with the keys of the jobs that finished and of those that didn't. With no time, or
    /// no jobs, that happens at once; but a job that calls this itself first finishes its run.
    ///
    /// If it's called again, the earlier end counts, and each completion gets the same report;
    /// after the end the report has no keys, since a queue that has shut down keeps none. A queue
    /// that is closed or released meanwhile cancels the rest at once. O(n).
    public func shutDown(
        within time: Duration, then completion: @escaping (ShutdownReport<Key>) -> Void = { _ in }
    ) {
        core.shutDown(within: time) { completion(ShutdownReport(of: $0) { $0 as? Key }) }
    }

    // MARK: - Keys

    @inlinable
    func hash(of key: Key) -> UInt32 { UInt32(truncatingIfNeeded: key.hashValue) }

    @inlinable
    func slot(of key: Key) -> Int? { slot(of: key, hash: hash(of: key)) }

    @inlinable
    func slot(of key: Key, hash: UInt32) -> Int? {
        core.slot(of: hash) { keys[$0] == key }
    }

    /// Checks that the queue's lists agree with each other, and that its counts are consistent.
    ///
    /// O(n).
    package func checkInvariants() {
        core.machine.checkInvariants()
        for id in core.machine.table.ids {
            guard let key = keys[id.index] else { preconditionFailure("a job has a key") }
            precondition(slot(of: key) == id.index, "a key knows its job")
        }
    }
}

/// The keys of a queue's jobs, by slot; those of free slots are nil, or remain if that costs
/// nothing.
@usableFromInline
final class KeyTable<Key: Hashable>: JobKeys {
    @usableFromInline let keys = ConfinedBox(ContiguousArray<Key?>())

    @inlinable
    subscript(slot: Int) -> Key? {
        @inline(__always) get { keys.value[slot] }
    }

    @inlinable
    func insert(_ key: Key, at slot: Int) {
        while keys.value.count <= slot { keys.value.append(nil) }
        keys.value[slot] = key
    }

    func release(_ ended: borrowing Buffer<EndedJob>) {
        guard !_isPOD(Key.self) else { return }
        var keys: ContiguousArray<Key> = []  // released after the change, as it may have a `deinit`
        for index in 0..<ended.count {
            if let slot = ended[index].slot, let key = self.keys.value[slot].take() {
                keys.append(key)
            }
        }
    }

    var snapshot: (Int) -> Any? {
        { [keys = keys.value] slot in keys[slot].map { $0 as Any } }
    }
}

/// The keys of a queue's jobs, by slot, without their type.
protocol JobKeys: AnyObject {
    /// Releases the keys of jobs that have ended.
    func release(_ ended: borrowing Buffer<EndedJob>)
    /// A closure that returns the key that is now in a slot.
    var snapshot: (Int) -> Any? { get }
}
