/// A bounded queue of jobs that run only while its loop has nothing better to do.
///
/// The most urgent runs first. Between two jobs the loop polls, so that a ready event waits for at
/// most one job, one slice of a long one, or 50 µs of tiny ones:
///
/// ```swift
/// let queue = IdleQueue<String>(on: loop)
/// queue.submit("thumbnail 7", urgency: .visible) { slot in
///     while !decoder.isFinished, !slot.isOver { decoder.decodeSomeRows() }
///     return decoder.isFinished ? .done : .again
/// }
/// ```
///
/// A key is in the queue once: asking again joins. When the queue is full, the least urgent job is
/// dropped, the oldest of those first, and told so. An empty queue costs nothing: no timer, no
/// wake-up.
public final class IdleQueue<Key: Hashable> {
    /// A job's work; it is called in a lull and says whether it is done.
    public typealias Body = (borrowing IdleSlot) throws -> JobProgress

    /// How a queue runs its jobs.
    public struct Configuration: Sendable {
        /// How many jobs may wait at once.
        public var limit = 30
        /// How long a slice may take; nil lets every job run to its end.
        public var slice: Duration? = .milliseconds(2)
        /// Whether a slice also ends when the loop's next timer is due.
        public var endsSlicesWhenDue = true
        /// How long tiny jobs may go on between two polls; zero polls after each.
        public var batch: Duration = .microseconds(50)

        /// The defaults.
        public init() {}
    }

    private struct Job {
        let key: Key
        var urgency: Urgency
        var rank: Int
        let sequence: UInt64
        /// Nil until the job's errand has brought it.
        var body: Body?
        var errand: Errand?
        var onEnd: ((JobEnd) -> Void)?

        var order: WorkOrder { .init(urgency: urgency, rank: rank, sequence: sequence) }
    }

    /// The part of a job that runs off the loop.
    private struct Errand {
        let pool: WorkerPool
        let cost: Duration
        let work: @Sendable () throws -> any Sendable
        let then: (any Sendable) -> Body?
        var ticket: WorkerPool.Ticket?
        /// What the work gave, if it was finished when the job was taken back.
        var output: (any Sendable)?
    }

    /// The job that is inside its own call now.
    private struct Running {
        var job: Job
        var isCancelled = false
        /// The same key, asked for again by the job itself: it joins if there are more slices.
        var successor: Job?
    }

    /// How this queue runs its jobs.
    public let configuration: Configuration
    /// The queue's counts.
    public private(set) var statistics = QueueStatistics()

    private let loop: MainLoop
    private var observer: Observer?
    private var jobs = SlotTable<Job>()
    private var slots: [Key: Int] = [:]
    private var ready = IndexedHeap<WorkOrder>()
    private var sacrifices = IndexedHeap<SacrificeOrder>()
    /// The job that has begun and said `again`: it goes on before any other.
    private var begun: Int?
    private var running: Running?
    private var sequence: UInt64 = 0

    /// A queue on `loop`, whose jobs run before idle at the given place among other observers.
    public init(
        on loop: MainLoop, configuration: Configuration = .init(), order: Int = 1_000_000
    ) {
        precondition(configuration.limit > 0, "an idle queue holds at least one job")
        precondition(
            configuration.slice.map { $0 > .zero } ?? true, "a slice is longer than zero")
        self.configuration = configuration
        self.loop = loop
        observer = loop.beforeIdle(order: order) { [weak self] slot in
            self?.run(in: slot) ?? .nothing
        }
    }

    deinit {
        close()
    }

    /// How many jobs wait, with those between two slices or off the loop.
    public var count: Int { jobs.count }

    /// Whether nothing waits.
    public var isEmpty: Bool { count == 0 }

    /// Whether the key has a job here, waiting or running.
    public func contains(_ key: Key) -> Bool {
        slots[key] != nil || running?.job.key == key
    }

    /// The urgency of the key's job, nil if it has none here.
    public func urgency(of key: Key) -> Urgency? {
        if let running, running.job.key == key { return running.job.urgency }
        return slots[key].map { jobs[$0].urgency }
    }

    /// Whether a job of this urgency would be taken without another of its urgency or a more
    /// urgent one being dropped for it.
    public func hasRoom(for urgency: Urgency) -> Bool {
        guard observer != nil else { return false }
        guard jobs.count >= configuration.limit, let (order, _) = sacrifices.first else {
            return true
        }
        return order.urgency < urgency
    }

    // MARK: - Submitting

    /// Hands in a job that runs in lulls, in slices if it says `again`.
    ///
    /// `rank` orders jobs of one urgency, the smaller first; equal ones run in the order they came.
    /// `onEnd` is called once, on the loop, however the job ends. If the key is there already the
    /// request joins it: the job takes the new urgency and rank, `body` is let go, and `onEnd` is
    /// called with the job's. A queue that is closed drops what it's handed. O(log n).
    @discardableResult
    public func submit(
        _ key: Key, urgency: Urgency = .near, rank: Int = 0,
        onEnd: ((JobEnd) -> Void)? = nil, _ body: @escaping Body
    ) -> Submission {
        sequence += 1
        return submit(
            Job(
                key: key, urgency: urgency, rank: rank, sequence: sequence, body: body,
                onEnd: onEnd))
    }

    /// Hands in a job whose first part runs on a worker and whose rest runs in lulls.
    ///
    /// `work` runs off the loop; when its result arrives, `then` is called on the loop and gives
    /// what is left to do in a lull. It is also called when the job is taken back while its result
    /// is there and has only not arrived, so that nothing paid for is lost. The job is in the queue all the while, so it can be raised,
    /// lowered and cancelled. `cost` is what `work` is expected to take; on virtual time it takes
    /// exactly that.
    @discardableResult
    public func submit<Output: Sendable>(
        _ key: Key, urgency: Urgency = .near, rank: Int = 0, on pool: WorkerPool,
        cost: Duration = .zero, onEnd: ((JobEnd) -> Void)? = nil,
        work: @escaping @Sendable () throws -> Output, then: @escaping (Output) -> Body
    ) -> Submission {
        sequence += 1
        let errand = Errand(pool: pool, cost: cost, work: work) { output in
            (output as? Output).map(then)
        }
        return submit(
            Job(
                key: key, urgency: urgency, rank: rank, sequence: sequence, errand: errand,
                onEnd: onEnd))
    }

    private func submit(_ job: Job) -> Submission {
        guard observer != nil else {
            statistics.accepted += 1
            end(job, .dropped)
            return .dropped
        }
        if running?.job.key == job.key {
            let successor = join(running?.successor, job)
            running?.successor = successor
            return .joined
        }
        if let slot = slots[job.key] {
            statistics.joined += 1
            jobs[slot].onEnd = both(jobs[slot].onEnd, job.onEnd)
            reprioritize(slot, urgency: job.urgency, rank: job.rank)
            return .joined
        }
        statistics.accepted += 1
        return insert(job) ? .queued : .dropped
    }

    /// Puts a job among the waiting; if there's no room, the least urgent of all is dropped.
    private func insert(_ job: Job) -> Bool {
        let slot = jobs.insert(job).index
        slots[job.key] = slot
        sacrifices.insert(.init(urgency: job.urgency, sequence: job.sequence), slot: slot)
        if job.body != nil { ready.insert(job.order, slot: slot) }
        if jobs.count > configuration.limit, let (_, victim) = sacrifices.first {
            let dropped = remove(victim)
            if victim != slot { sendOff(slot) }
            end(dropped, .dropped)
            return victim != slot
        }
        statistics.waiting = jobs.count
        statistics.longest = max(statistics.longest, jobs.count)
        sendOff(slot)
        return true
    }

    /// Starts the part of a job that runs off the loop, if it has one still to be done.
    private func sendOff(_ slot: Int) {
        let job = jobs[slot]
        guard job.body == nil, let errand = job.errand else { return }
        let id = jobs.id(at: slot)
        jobs[slot].errand?.ticket = errand.pool.start(
            job.order, cost: errand.cost, work: errand.work
        ) { [weak self] result in
            self?.arrive(id, result)
        }
    }

    private func join(_ first: Job?, _ second: Job) -> Job {
        guard var first else { return second }
        first.urgency = second.urgency
        first.rank = second.rank
        first.onEnd = both(first.onEnd, second.onEnd)
        return first
    }

    private func both(
        _ first: ((JobEnd) -> Void)?, _ second: ((JobEnd) -> Void)?
    ) -> ((JobEnd) -> Void)? {
        guard let first, let second else { return first ?? second }
        return { end in
            first(end)
            second(end)
        }
    }

    // MARK: - Changing one's mind

    /// Gives the key's job another urgency and rank; false if it has none here.
    ///
    /// O(log n).
    ///
    /// A job that has begun keeps its turn, and one off the loop changes its place there too.
    @discardableResult
    public func reprioritize(_ key: Key, urgency: Urgency, rank: Int = 0) -> Bool {
        if running?.job.key == key {
            running?.job.urgency = urgency
            running?.job.rank = rank
            return true
        }
        guard let slot = slots[key] else { return false }
        reprioritize(slot, urgency: urgency, rank: rank)
        return true
    }

    private func reprioritize(_ slot: Int, urgency: Urgency, rank: Int) {
        jobs[slot].urgency = urgency
        jobs[slot].rank = rank
        let job = jobs[slot]
        sacrifices.insert(.init(urgency: urgency, sequence: job.sequence), slot: slot)
        if ready.contains(slot: slot) { ready.insert(job.order, slot: slot) }
        if let ticket = job.errand?.ticket { job.errand?.pool.reorder(ticket, job.order) }
    }

    /// Takes the key's job back; false if it has none here.
    ///
    /// O(log n).
    ///
    /// From inside the job's own run it means: no further slice.
    @discardableResult
    public func cancel(_ key: Key) -> Bool {
        if running?.job.key == key {
            running?.isCancelled = true
            running?.successor = nil
            return true
        }
        guard let slot = slots[key] else { return false }
        end(remove(slot), .cancelled)
        return true
    }

    /// Takes back every job that is there now, the oldest first.
    ///
    /// What their callbacks hand in is not taken back. O(n log n).
    public func cancelAll() {
        if running != nil {
            running?.isCancelled = true
            running?.successor = nil
        }
        let all = slots.values.map { remove($0) }.sorted { $0.sequence < $1.sequence }
        statistics.cancelled += all.count  // before any callback, so that the counts always agree
        for job in all { tell(job, .cancelled) }
    }

    /// Takes every job back and leaves the loop; what is handed in afterwards is dropped.
    public func close() {
        guard let observer else { return }
        observer.cancel()
        self.observer = nil
        cancelAll()
    }

    // MARK: - Running

    private func run(in slot: borrowing IdleSlot) -> IdleResult {
        var result = IdleResult.nothing
        var lull = copy slot
        while loop.isRunning, let next = begun ?? ready.first?.slot {
            let skipped = runSlice(next, in: &lull)
            if !skipped {
                result = .worked
                if configuration.batch == .zero { break }
            }
            let now = loop.clock.now
            if now >= slot.due || slot.start.duration(to: now) >= batch {
                result = .worked
                break
            }
        }
        return result
    }

    /// How long jobs may go on before the next poll; stale ones too, though they cost nothing.
    private var batch: Duration {
        configuration.batch > .zero ? configuration.batch : .microseconds(50)
    }

    /// Runs one job, or a slice of it; true if it was stale and cost nothing.
    private func runSlice(_ slot: Int, in lull: inout IdleSlot) -> Bool {
        lull.sliceEnd = sliceEnd(due: lull.due)
        let job = remove(slot)
        guard let body = job.body else { preconditionFailure("a job that is ready has a body") }
        running = Running(job: job)
        statistics.running = 1
        statistics.slices += 1
        let outcome = Result { try body(lull) }
        guard let ran = running else { preconditionFailure("a job runs to its end") }
        running = nil
        statistics.running = 0
        switch outcome {
        case .success(.again) where ran.isCancelled || observer == nil:
            end(ran.job, .cancelled)
        case .success(.again):
            resume(ran)
            return false
        case .success(.done): end(ran.job, .done)
        case .success(.skipped): end(ran.job, .skipped)
        case .failure(let error): end(ran.job, .failed(error))
        }
        if let successor = ran.successor, observer != nil { _ = submit(successor) }
        if case .success(.skipped) = outcome { return true }
        return false
    }

    /// Puts a job back that has more slices; what it asked of its own key meanwhile joins it.
    private func resume(_ ran: Running) {
        var job = ran.job
        if let successor = ran.successor {
            statistics.joined += 1
            job.urgency = successor.urgency
            job.rank = successor.rank
            job.onEnd = both(job.onEnd, successor.onEnd)
        }
        if insert(job) { begun = slots[job.key] }
    }

    private func sliceEnd(due: Instant) -> Instant {
        guard let slice = configuration.slice else { return .distantFuture }
        let end = loop.clock.now.advanced(by: slice)
        return configuration.endsSlicesWhenDue ? min(end, due) : end
    }

    /// Takes the result of work off the loop: what is left of the job may run in a lull.
    private func arrive(_ id: SlotTable<Job>.ID, _ result: Result<any Sendable, any Error>) {
        let then = jobs[id.index].errand?.then
        jobs[id.index].errand = nil
        switch result {
        case .success(let output):
            guard let body = then?(output) else { preconditionFailure("work gives its own type") }
            guard jobs.contains(id) else { return }  // `then` may have taken the job back
            jobs[id.index].body = body
            ready.insert(jobs[id.index].order, slot: id.index)
        case .failure(let error):
            end(remove(id.index), .failed(error))
        }
    }

    /// Takes a job out of every list, and its work off the workers.
    private func remove(_ slot: Int) -> Job {
        var job = jobs.remove(at: slot)
        slots[job.key] = nil
        ready.remove(slot: slot)
        sacrifices.remove(slot: slot)
        if begun == slot { begun = nil }
        statistics.waiting = jobs.count
        if let errand = job.errand, let ticket = errand.ticket,
            case .success(let output)? = errand.pool.cancel(ticket)
        {
            job.errand?.output = output
        }
        return job
    }

    private func end(_ job: Job, _ end: JobEnd) {
        switch end {
        case .done: statistics.done += 1
        case .skipped: statistics.skipped += 1
        case .failed: statistics.failed += 1
        case .cancelled: statistics.cancelled += 1
        case .dropped: statistics.dropped += 1
        }
        tell(job, end)
    }

    /// Calls back for a job that has been taken out and counted.
    private func tell(_ job: Job, _ end: JobEnd) {
        if let errand = job.errand, let output = errand.output {
            _ = errand.then(output)  // it was paid for: whoever made the job may keep it
        }
        job.onEnd?(end)
    }

    // MARK: - Checking

    /// Checks that the queue's lists agree with each other and its counts with the law.
    ///
    /// O(n).
    public func checkInvariants() {
        precondition(jobs.count <= configuration.limit, "a queue never exceeds its bound")
        precondition(slots.count == jobs.count, "a key is in the queue once")
        precondition(sacrifices.count == jobs.count, "every job can be dropped")
        precondition(ready.count <= jobs.count, "only jobs in the queue are ready")
        precondition(statistics.isConserved, "every accepted job ends exactly once")
        ready.checkInvariants()
        sacrifices.checkInvariants()
        for (key, slot) in slots {
            precondition(jobs[slot].key == key, "a key knows its job")
            precondition(
                ready.contains(slot: slot) == (jobs[slot].body != nil),
                "a job waits for a lull or for a worker")
        }
    }
}
