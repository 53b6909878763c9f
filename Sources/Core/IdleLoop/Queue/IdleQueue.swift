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
/// by the ``IdleJob`` that `submit` returned, for all requests that joined it. When the queue is
/// full, the least urgent job is dropped, the oldest of those first, and its `onEnd` is called. An
/// empty queue costs nothing: no timer, no wake-up. Several queues on one loop share its lulls by
/// their weights.
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
        core = JobQueue(
            on: loop.context, configuration: configuration, keys: keys,
            releasesKeys: !_isPOD(Key.self))
        loop.add(core, order: order)
    }

    deinit {
        core.jobs.keepKeys()  // callbacks of the jobs' ends may still ask for keys
        close()
    }

    /// The configuration of the queue.
    package var configuration: QueueConfiguration { core.configuration }

    /// The queue's statistics.
    public var statistics: QueueStatistics { core.statistics }

    /// The number of waiting jobs, including those between two slices or off the loop.
    public var count: Int { core.count }

    /// Whether no job waits.
    package var isEmpty: Bool { count == 0 }

    /// Whether the key has a job here, waiting or running.
    @inlinable
    package func contains(_ key: Key) -> Bool {
        slot(of: key, hash: hash(of: key)) != nil
    }

    /// Returns the priority of the key's job; nil if it has none here.
    @inlinable
    package func priority(of key: Key) -> Priority? {
        slot(of: key, hash: hash(of: key)).map { core.jobs.priority(at: $0) }
    }

    /// Returns the time at which a worker began the part of the key's job that runs off the loop;
    /// nil if none has, or if the loop has taken its outcome.
    ///
    /// With threads it takes a lock.
    @inlinable
    package func workStart(of key: Key) -> Instant? {
        slot(of: key, hash: hash(of: key)).flatMap { core.jobs.workStart(at: $0) }
    }

    /// The clock of the queue's loop.
    package var clock: LoopClock { loop.clock }

    /// Whether jobs are accepted: the queue is neither closed nor shutting down.
    ///
    /// Check this before a job is submitted again from its own `onEnd`: a job that isn't accepted
    /// ends inside `submit`.
    public var isAccepting: Bool { core.jobs.isAccepting }

    /// Returns whether a job of this priority would be accepted without dropping another of the same
    /// or a higher priority.
    public func hasRoom(for priority: Priority) -> Bool {
        core.jobs.hasRoom(for: priority)
    }

    // MARK: - Submitting

    /// Submits a job that runs in lulls, in slices if it returns `again`.
    ///
    /// `body` is called in a lull, and returns whether the job is done. `rank` orders jobs of one
    /// priority that have not begun, the smaller first; values beyond ±2^59 are clamped. Jobs of equal
    /// rank run in the order of submission.
    ///
    /// A job with a `cost`, which is the duration of one run, or else with a `kind`, by which that is
    /// learned, is a whole job: it is started only if it is expected to end before a timer or frame
    /// would be later than its tolerance. Given costs are corrected by what they have turned out to
    /// be, and a kind that was never seen is expected to cost what all kinds do. Any other job is
    /// expected to stop when its slot `isOver`. When it has waited for `timeout`, since its submission or its last slice, the job runs
    /// regardless of anything else, also of the loop's mode, and its slot's `didTimeout` is true.
    ///
    /// A whole job that never fits isn't held back for ever. If it was held back before, and doesn't
    /// fit into a whole lull, it starts there, right after what was due, where it does least harm. If
    /// it never has a whole lull, it starts in the ninth into which it doesn't fit. Either is counted
    /// as an overrun if it makes something late.
    ///
    /// `onEnd` is called once, on the loop, however the job ends: inside the call or after the run that
    /// ended it, when the change is complete. If a job of the key already waits,
    /// the request joins it: the job takes the new priority and rank, `body` is released, and `onEnd`
    /// is called with the job's. A request that is made while the
    /// key's job is running is never lost: if the job returns `again`, the request joins it;
    /// otherwise `body` runs after it, as a job of its own. A queue that isn't ``isAccepting``
    /// drops the job before this returns. O(log n).
    @discardableResult @inlinable
    public func submit(
        _ key: Key, priority: Priority = .normal, rank: Int = 0, cost: Duration? = nil,
        kind: WorkKind? = nil, timeout: Duration? = nil,
        onEnd: consuming ((JobEnd) -> Void)? = nil,
        _ body: consuming @escaping (borrowing IdleSlot) throws -> JobProgress
    ) -> IdleJob {
        let hash = hash(of: key)
        return submit(
            key, hash,
            core.jobs.job(
                hash: hash, priority: priority, rank: rank, cost: cost, kind: kind,
                timeout: timeout, onEnd: consume onEnd, body: consume body))
    }

    /// Submits a job whose first part runs on a worker and whose rest runs in lulls.
    ///
    /// `work` runs off the loop. When its result arrives, `then` is called on the loop and returns
    /// the rest of the job, which runs in a lull. It is also called when the job is cancelled after
    /// the work is finished and before its result has arrived, so that no finished work is lost.
    /// The job is in the queue all the time, so its priority can be changed and it can be
    /// cancelled. `cost` is the expected duration of `work`; on virtual time it takes exactly that.
    /// `kind` is the kind of the rest, if that runs in one go.
    @discardableResult
    public func submit<Output: Sendable>(
        _ key: Key, priority: Priority = .normal, rank: Int = 0, on pool: WorkerPool,
        cost: Duration = .zero, kind: WorkKind? = nil, timeout: Duration? = nil,
        onEnd: ((JobEnd) -> Void)? = nil,
        work: @escaping @Sendable () throws -> Output,
        then: @escaping (Output) -> (borrowing IdleSlot) throws -> JobProgress
    ) -> IdleJob {
        let body = WorkerBody(cost: cost, work: work)
        let offLoopWork = OffLoopWork(on: pool.tasks, then: { ($0 as? Output).map(then) }) {
            pool.tasks.start(body, $0, completion: $1)
        }
        return submit(key, priority, rank, kind, timeout, onEnd, offLoopWork)
    }

    /// Submits a job whose first part is an asynchronous operation, such as a transfer, and whose
    /// rest runs in lulls.
    ///
    /// `start` is called on the loop when the pool has a place, and isn't called if the job is
    /// cancelled before; if it's cancelled later, the operation that `start` returned is cancelled.
    /// When the completion is called, `then` returns the rest of the job, which runs in a lull. It
    /// is also called when the job is cancelled after the operation is finished and before its
    /// result has arrived. Meanwhile the operation may have what has come so far processed in
    /// lulls, in the job's turn; see ``OperationCompletion/process(_:)``. The other parameters are
    /// those of the same call for work on a ``WorkerPool``.
    @discardableResult
    package func submit<Output>(
        _ key: Key, priority: Priority = .normal, rank: Int = 0, on pool: OperationPool,
        kind: WorkKind? = nil, timeout: Duration? = nil,
        onEnd: ((JobEnd) -> Void)? = nil,
        start: @escaping (OperationCompletion<Output>) -> any PendingOperation,
        then: @escaping (Output) -> (borrowing IdleSlot) throws -> JobProgress
    ) -> IdleJob {
        let output = PendingOutput<Output>()
        let offLoopWork = OffLoopWork(on: pool.tasks, then: { _ in output.take().map(then) }) {
            pool.tasks.start({ output.start(start, $0) }, $0, completion: $1)
        }
        output.work = offLoopWork
        return submit(key, priority, rank, kind, timeout, onEnd, offLoopWork)
    }

    private func submit(
        _ key: Key, _ priority: Priority, _ rank: Int, _ kind: WorkKind?, _ timeout: Duration?,
        _ onEnd: ((JobEnd) -> Void)?, _ offLoopWork: OffLoopWork
    ) -> IdleJob {
        let hash = hash(of: key)
        return submit(
            key, hash,
            core.jobs.job(
                hash: hash, priority: priority, rank: rank, cost: nil, kind: kind, timeout: timeout,
                onEnd: onEnd, offLoopWork: offLoopWork))
    }

    /// Submits a job, and creates its token only where the caller uses it.
    @inlinable @inline(__always)
    func submit(_ key: Key, _ hash: UInt32, _ job: consuming DetachedJob) -> IdleJob {
        IdleJob(enqueue(key, hash, job), in: core.jobs)
    }

    @inlinable
    func enqueue(_ key: Key, _ hash: UInt32, _ job: consuming DetachedJob) -> IdleJob.Place {
        if let slot = slot(of: key, hash: hash) {
            return core.jobs.isRunning(slot)
                ? core.jobs.follow(slot, job) : core.jobs.join(slot, job)
        }
        switch core.jobs.admit(job) {
        case .ended(let place): return place
        case .waits(let slot):
            keys.insert(key, at: slot)
            return core.jobs.begin(slot)
        }
    }

    // MARK: - Changing and cancelling

    /// Changes the priority and rank of the key's job; returns false if it has none here.
    ///
    /// For a job that has begun, that counts from its next slice on. For one off the loop, the order
    /// in its pool changes too. O(log n).
    @discardableResult @inlinable
    public func reprioritize(_ key: Key, priority: Priority, rank: Int = 0) -> Bool {
        guard let slot = slot(of: key, hash: hash(of: key)) else { return false }
        core.jobs.reprioritize(slot, priority: priority, rank: rank)
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
        guard let slot = slot(of: key, hash: hash(of: key)) else { return false }
        core.jobs.resume(slot)
        return true
    }

    /// Cancels the key's job; returns false if it has none here.
    ///
    /// A call from inside the job's own run means that it has no further slice. O(log n).
    @discardableResult @inlinable
    public func cancel(_ key: Key) -> Bool {
        guard let slot = slot(of: key, hash: hash(of: key)) else { return false }
        return core.jobs.cancel(slot)
    }

    /// Cancels every job that is in the queue now, the oldest first.
    ///
    /// Jobs that their callbacks submit are not cancelled. O(n log n).
    package func cancelAll() {
        core.jobs.cancelAll()
    }

    /// Cancels every job whose key satisfies `fits`, the oldest first, and returns their number.
    ///
    /// For example, it cancels all thumbnails below a folder when its disk is removed. It checks
    /// every key, O(n), and takes O(log n) for each that fits. Jobs that the callbacks submit are
    /// not cancelled.
    @discardableResult
    public func cancel(where fits: (Key) throws -> Bool) rethrows -> Int {
        let ids = try core.jobs.ids.filter { id in
            try core.jobs.contains(id) && keys[id.index].map(fits) ?? false
        }
        return core.jobs.cancel(ids)
    }

    /// Cancels every job and leaves the loop; jobs that are submitted afterwards are dropped.
    ///
    /// A queue is also closed when its loop is closed, or if the loop was closed when the queue was
    /// created. When a job calls this, it has no further slice.
    public func close() {
        core.close()
    }

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
        core.shutDown(within: time) { [keys = keys.keys.value] shutdown in
            completion(ShutdownReport(of: shutdown) { keys[$0] })
        }
    }

    // MARK: - Keys

    @inlinable
    func hash(of key: Key) -> UInt32 {
        UInt32(truncatingIfNeeded: key.hashValue)
    }

    @inlinable
    func slot(of key: Key, hash: UInt32) -> Int? {
        core.jobs.slot(of: hash) { keys[$0] == key }
    }

    /// Checks that the queue's lists agree with each other, and that its counts are consistent.
    ///
    /// O(n).
    package func checkInvariants() {
        core.checkInvariants()
        for slot in core.jobs.slots {
            guard let key = keys[slot] else { preconditionFailure("a job has a key") }
            precondition(self.slot(of: key, hash: hash(of: key)) == slot, "a key knows its job")
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
        var keys: ContiguousArray<Key> = []  // released after the change, as it may have a `deinit`
        for index in 0..<ended.count {
            if let slot = ended[index].slot, let key = self.keys.value[slot].take() {
                keys.append(key)
            }
        }
    }

    func releaseAll() {
        var keys: ContiguousArray<Key?> = []
        swap(&self.keys.value, &keys)  // released after the change, as they may have a `deinit`
    }

    var descriptions: (Int) -> String {
        { [keys = keys.value] in keys[$0].map { String(describing: $0) } ?? "" }
    }
}
