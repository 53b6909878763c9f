/// A bounded queue of jobs that run only while its loop has nothing better to do.
///
/// The most urgent runs first. Between two jobs the loop polls, so that a ready event waits for at
/// most one job, one slice of a long one, or 50 µs of tiny ones:
///
/// ```swift
/// let queue = IdleQueue<String>(on: loop)
/// queue.submit("thumbnail 7", priority: .highest) { slot in
///     while !decoder.isFinished, !slot.isOver { try decoder.decodeSomeRows() }
///     return decoder.isFinished ? .done : .again
/// }
/// ```
///
/// A job that can't stop in the middle says what it costs, or what kind it is, so that the cost can
/// be learned; it is held back where it would make a frame or a timer later than its tolerance:
///
/// ```swift
/// queue.submit("page 3", cost: .milliseconds(4)) { _ in render(3); return .done }
/// queue.submit("page 4", kind: "page") { _ in render(4); return .done }
/// ```
///
/// A key is in the queue once: asking again joins. A job is cancelled by its key, or by the
/// ``IdleJob`` that handing it in gave, for all who have asked. When the queue is full, the least
/// urgent job is dropped, the oldest of those first, and told so. An empty queue costs nothing: no
/// timer, no wake-up. Several queues on one loop share its lulls by their weights.
///
/// A queue lives as long as somebody holds it, and holds its loop. Unlike timers, watches and
/// observers, which the loop keeps, a queue that is let go of is closed: jobs that wait end as
/// cancelled, and one that runs ends with its run.
public final class IdleQueue<Key: Hashable> {
    /// The loop in whose lulls the jobs run.
    public let loop: MainLoop
    @usableFromInline let core: JobQueue
    /// By slot; those of slots that are free are nil, or left there if that costs nothing.
    @usableFromInline let keys = Cell(ContiguousArray<Key?>())

    /// A queue on `loop`, whose jobs run before idle at the given place among other observers.
    public init(
        on loop: MainLoop, configuration: QueueConfiguration = .init(), order: Int = 1_000_000
    ) {
        self.loop = loop
        core = JobQueue(on: loop.context, configuration: configuration)
        loop.observers.add(core, order: order)
        core.describe = { [unowned self] in keys.value[$0].map { String(describing: $0) } ?? "" }
        core.keepKeys = { [unowned self] in keepKeys() }
        core.dropKeys = { [unowned self] in dropKeys() }
        guard !_isPOD(Key.self) else { return }
        core.forget = { [unowned self] slot in
            var key: Key?
            swap(&keys.value[slot], &key)  // it goes after the change, as it may have a `deinit`
        }
    }

    deinit {
        core.dropKeys = nil
        keepKeys()  // who is told of an end now may still ask for them
        close()
    }

    /// Has slots and keys stay together from now on, as no slot is given again.
    private func keepKeys() {
        core.forget = nil
        core.keepKeys = nil
        core.describe = { [keys = keys.value] in keys[$0].map { String(describing: $0) } ?? "" }
    }

    /// Lets go of all keys, as there are no jobs any more.
    private func dropKeys() {
        core.describe = { _ in "" }
        var gone: ContiguousArray<Key?> = []
        swap(&keys.value, &gone)  // they go after the change, as they may have a `deinit`
    }

    /// How this queue runs its jobs.
    package var configuration: QueueConfiguration { core.configuration }

    /// The queue's counts.
    public var statistics: QueueStatistics { core.statistics }

    /// How many jobs wait, with those between two slices or off the loop.
    public var count: Int { core.jobs.value.count }

    /// What the jobs that wait were said to cost.
    package var cost: Duration { .nanoseconds(core.jobs.value.cost) }

    /// Whether nothing waits.
    public var isEmpty: Bool { count == 0 }

    /// The key whose job runs next, if there's one that can run now and time allows it.
    package var next: Key? { core.jobs.value.next.flatMap { keys.value[$0] } }

    /// Whether the key has a job here, waiting or running.
    @inlinable
    public func contains(_ key: Key) -> Bool {
        slot(of: key, hash: hash(of: key)) != nil
    }

    /// The priority of the key's job, nil if it has none here.
    @inlinable
    public func priority(of key: Key) -> Priority? {
        slot(of: key, hash: hash(of: key)).map { core.priority(at: $0) }
    }

    /// When a worker began the part of the key's job that is done off the loop; nil if none has, or
    /// the loop has taken what came of it.
    ///
    /// With threads it crosses a lock.
    @inlinable
    package func workStart(of key: Key) -> Instant? {
        slot(of: key, hash: hash(of: key)).flatMap { core.workStart(at: $0) }
    }

    /// The clock of the queue's loop.
    package var clock: LoopClock { loop.clock }

    /// What a job of this kind is expected to take, nil before one has run.
    package func expectedCost(of kind: JobKind) -> Duration? {
        core.costs.value.expected(of: kind)
    }

    /// Whether jobs are taken in: the queue is neither closed nor shutting down.
    ///
    /// Whoever hands a job in again when it ends asks this first, as one that isn't taken in ends
    /// inside of `submit`.
    public var isAccepting: Bool { core.isAccepting }

    /// Whether a job of this priority and cost would be taken without another of its priority or a
    /// more urgent one being dropped for it.
    public func hasRoom(for priority: Priority, cost: Duration = .zero) -> Bool {
        core.hasRoom(for: priority, cost: cost)
    }

    // MARK: - Submitting

    /// Hands in a job that runs in lulls, in slices if it says `again`.
    ///
    /// `body` is called in a lull, and says whether the job is done.
    /// `rank` orders jobs of one priority, the smaller first, those beyond 2^60 either way as if they
    /// were there; equal ones run in the order they came.
    /// A job with a `cost`, what one run of it takes, or with a `kind`, of which that is learned, is
    /// a whole one: it is started only if it is expected to end before a timer or frame would be
    /// later than its tolerance. Any other is expected to stop when its slot `isOver`. After `timeout`
    /// it runs whatever else there is, and its slot says so.
    ///
    /// A whole job that never fits isn't held back for ever. If it's known to take longer than the
    /// last eight lulls had room for, it starts where it does least harm: at the beginning of a lull,
    /// right after what was due, the second at the earliest that it sees. Any other starts in the
    /// ninth lull into which it doesn't fit. Either is an overrun in
    /// the counts if it makes something late.
    ///
    /// `onEnd` is called once, on the loop, however the job ends, unless it was rejected. If a job of
    /// the key waits already the request joins it: the job takes the new priority and rank, `body` is
    /// let go, and `onEnd` is called with the job's. A request that is made while the key's job is in
    /// its own call is never lost: if the job says `again` the request joins it, and if not, `body`
    /// runs after it, as a job of its own. A queue that isn't ``isAccepting`` drops what it's handed,
    /// before this returns.
    /// O(log n).
    @discardableResult @inlinable
    public func submit(
        _ key: Key, priority: Priority = .normal, rank: Int = 0, cost: Duration? = nil,
        kind: JobKind? = nil, timeout: Duration? = nil,
        onEnd: consuming ((JobEnd) -> Void)? = nil,
        _ body: consuming @escaping (borrowing IdleSlot) throws -> JobProgress
    ) -> IdleJob {
        let hash = hash(of: key)
        return submit(
            key, hash,
            core.job(
                hash: hash, priority: priority, rank: rank, cost: cost, kind: kind,
                timeout: timeout, onEnd: consume onEnd, body: consume body))
    }

    /// Hands in a job whose first part runs on a worker and whose rest runs in lulls.
    ///
    /// `work` runs off the loop; when its result arrives, `then` is called on the loop and gives
    /// what is left to do in a lull. It is also called when the job is taken back while its result
    /// is there and has only not arrived, so that nothing paid for is lost. The job is in the queue
    /// all the while, so it can be raised, lowered and cancelled. `cost` is what `work` is expected
    /// to take; on virtual time it takes exactly that. `kind` is the kind of the rest, if that runs
    /// in one go.
    @discardableResult
    public func submit<Output: Sendable>(
        _ key: Key, priority: Priority = .normal, rank: Int = 0, on pool: WorkerPool,
        cost: Duration = .zero, kind: JobKind? = nil, timeout: Duration? = nil,
        onEnd: ((JobEnd) -> Void)? = nil,
        work: @escaping @Sendable () throws -> Output,
        then: @escaping (Output) -> (borrowing IdleSlot) throws -> JobProgress
    ) -> IdleJob {
        let hash = hash(of: key)
        let errand = Errand(pool: pool, then: { ($0 as? Output).map(then) }) { order, completion in
            pool.start(order, cost: cost, work: work, completion: completion)
        }
        return submit(
            key, hash,
            core.job(
                hash: hash, priority: priority, rank: rank, cost: cost == .zero ? nil : cost,
                kind: kind, timeout: timeout, onEnd: onEnd, errand: errand))
    }

    /// Hands in a job whose first part goes on by itself, as a transfer does, and whose rest runs in
    /// lulls.
    ///
    /// `start` is called on the loop when the pool has a place, and isn't called if the job is taken
    /// back before; if it's taken back later, what `start` gave is cancelled. When the completion is
    /// called, `then` gives what is left to do in a lull. It is also called when the job is taken
    /// back while its result is there and has only not arrived. `cost` is what the first part is
    /// expected to take. For the rest see the same call for work on a ``WorkerPool``.
    @discardableResult
    public func submit<Output>(
        _ key: Key, priority: Priority = .normal, rank: Int = 0, on pool: OperationPool,
        cost: Duration = .zero, kind: JobKind? = nil, timeout: Duration? = nil,
        onEnd: ((JobEnd) -> Void)? = nil,
        start: @escaping (OperationCompletion<Output>) -> any PendingOperation,
        then: @escaping (Output) -> (borrowing IdleSlot) throws -> JobProgress
    ) -> IdleJob {
        let hash = hash(of: key)
        let place = OutputPlace<Output>()
        let errand = Errand(pool: pool, then: { _ in place.take().map(then) }) {
            order, completion in
            pool.start(order, start: { place.start(start, $0) }, completion: completion)
        }
        return submit(
            key, hash,
            core.job(
                hash: hash, priority: priority, rank: rank, cost: cost == .zero ? nil : cost,
                kind: kind, timeout: timeout, onEnd: onEnd, errand: errand))
    }

    /// Hands a job in, and makes a token of its place where the caller takes one.
    @inlinable @inline(__always)
    func submit(_ key: Key, _ hash: UInt32, _ job: consuming LooseJob) -> IdleJob {
        IdleJob(handIn(key, hash, job), in: core)
    }

    @inlinable
    func handIn(_ key: Key, _ hash: UInt32, _ job: consuming LooseJob) -> IdleJob.Place {
        if let slot = slot(of: key, hash: hash) {
            return core.isRunning(slot) ? core.follow(slot, job) : core.join(slot, job)
        }
        switch core.takeIn(job) {
        case .ended(let place): return place
        case .waits(let slot):
            while keys.value.count <= slot { keys.value.append(nil) }
            keys.value[slot] = key
            return core.begin(slot)
        }
    }

    // MARK: - Changing one's mind

    /// Gives the key's job another priority and rank; false if it has none here.
    ///
    /// A job that has begun keeps its turn, and one off the loop changes its place there too.
    /// O(log n).
    @discardableResult @inlinable
    public func reprioritize(_ key: Key, priority: Priority, rank: Int = 0) -> Bool {
        guard let slot = slot(of: key, hash: hash(of: key)) else { return false }
        core.reprioritize(slot, priority: priority, rank: rank)
        return true
    }

    /// Takes the key's job back; false if it has none here.
    ///
    /// From inside the job's own run it means: no further slice. O(log n).
    @discardableResult @inlinable
    public func cancel(_ key: Key) -> Bool {
        guard let slot = slot(of: key, hash: hash(of: key)) else { return false }
        return core.cancel(slot)
    }

    /// Takes back every job that is there now, the oldest first.
    ///
    /// What their callbacks hand in is not taken back. O(n log n).
    public func cancelAll() {
        core.cancelAll()
    }

    /// Takes back every job whose key fits, the oldest first, and says how many there were: all
    /// thumbnails below a folder, say, when its disk goes away.
    ///
    /// It looks at every key, O(n), and takes O(log n) for each that fits. What the callbacks hand
    /// in is not taken back.
    @discardableResult
    public func cancel(where fits: (Key) throws -> Bool) rethrows -> Int {
        let ids = try core.ids.filter { id in
            try core.contains(id) && keys.value[id.index].map(fits) ?? false
        }
        return core.cancel(ids)
    }

    /// Takes every job back and leaves the loop; what is handed in afterwards is dropped.
    ///
    /// A queue whose loop is closed, or was when it was made, is closed too. From inside one of its
    /// jobs that one has no further slice.
    public func close() {
        core.close()
    }

    /// Takes nothing in any more, goes on with what is here for `time`, and then gives the rest back.
    ///
    /// What is handed in from now on is dropped, also if its key has a job here. When nothing is
    /// left, or `time` is over, the jobs that are left end as cancelled, those whose work is under
    /// way off the loop too; the queue is closed, and `completion` is called once, on the loop, with
    /// the keys of what was finished and what wasn't. With no time, or nothing here, that is at once;
    /// but a job that calls this itself comes to the end of its run first.
    ///
    /// Called again, the sooner end counts, and each completion gets the same report; after the end it
    /// is one of no keys, as a queue that has shut down holds none. A queue that is closed or let go
    /// of meanwhile gives back at once what is left. O(n).
    public func shutDown(
        within time: Duration, then completion: @escaping (ShutdownReport<Key>) -> Void = { _ in }
    ) {
        core.shutDown(within: time) { [keys = keys.value] ending in
            completion(ShutdownReport(of: ending) { keys[$0] })
        }
    }

    // MARK: - Keys

    @inlinable
    func hash(of key: Key) -> UInt32 {
        UInt32(truncatingIfNeeded: key.hashValue)
    }

    @inlinable
    func slot(of key: Key, hash: UInt32) -> Int? {
        core.slot(of: hash) { keys.value[$0] == key }
    }

    /// Checks that the queue's lists agree with each other and its counts with the law.
    ///
    /// O(n).
    public func checkInvariants() {
        core.checkInvariants()
        for slot in core.slots {
            guard let key = keys.value[slot] else { preconditionFailure("a job has a key") }
            precondition(self.slot(of: key, hash: hash(of: key)) == slot, "a key knows its job")
        }
    }
}
