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

    /// The job that is inside its own call now.
    private struct Running {
        var job: Job<Key>
        var isCancelled = false
        /// The same key, asked for again by the job itself: it joins if there are more slices.
        var successor: Job<Key>?
    }

    /// How this queue runs its jobs.
    public let configuration: Configuration
    /// The queue's counts.
    public private(set) var statistics = QueueStatistics()

    private let loop: MainLoop
    private var observer: Observer?
    private var jobs = JobTable<Key>()
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
        jobs.slot(of: key) != nil || running?.job.key == key
    }

    /// The urgency of the key's job, nil if it has none here.
    public func urgency(of key: Key) -> Urgency? {
        if let running, running.job.key == key { return running.job.urgency }
        return jobs.slot(of: key).map { jobs[$0].urgency }
    }

    /// Whether a job of this urgency would be taken without another of its urgency or a more
    /// urgent one being dropped for it.
    public func hasRoom(for urgency: Urgency) -> Bool {
        guard observer != nil else { return false }
        guard jobs.count >= configuration.limit, let least = jobs.leastUrgent else { return true }
        return least.urgency < urgency
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
    /// is there and has only not arrived, so that nothing paid for is lost. The job is in the queue
    /// all the while, so it can be raised, lowered and cancelled. `cost` is what `work` is expected
    /// to take; on virtual time it takes exactly that.
    @discardableResult
    public func submit<Output: Sendable>(
        _ key: Key, urgency: Urgency = .near, rank: Int = 0, on pool: WorkerPool,
        cost: Duration = .zero, onEnd: ((JobEnd) -> Void)? = nil,
        work: @escaping @Sendable () throws -> Output, then: @escaping (Output) -> Body
    ) -> Submission {
        sequence += 1
        let errand = Job<Key>.Errand(pool: pool, cost: cost, work: work) { output in
            (output as? Output).map(then)
        }
        return submit(
            Job(
                key: key, urgency: urgency, rank: rank, sequence: sequence, errand: errand,
                onEnd: onEnd))
    }

    private func submit(_ job: Job<Key>) -> Submission {
        guard observer != nil else {
            statistics.accepted += 1
            end(job, .dropped)
            return .dropped
        }
        if running?.job.key == job.key {
            if running?.successor == nil {
                running?.successor = job
            } else {
                running?.successor?.join(job)
            }
            return .joined
        }
        if let slot = jobs.slot(of: job.key) {
            statistics.joined += 1
            update(slot) { $0.join(job) }
            return .joined
        }
        statistics.accepted += 1
        return insert(job) == nil ? .dropped : .queued
    }

    /// Puts a job among the waiting; if there's no room, the least urgent of all is dropped.
    ///
    /// Returns the job's slot, nil if it was that one.
    private func insert(_ job: Job<Key>) -> Int? {
        let slot = jobs.insert(job)
        let id = jobs.id(at: slot)
        if jobs.count > configuration.limit, let victim = jobs.leastUrgent?.slot {
            let dropped = remove(victim)
            if victim != slot { sendOff(slot) }
            end(dropped, .dropped)
            return jobs.contains(id) ? slot : nil
        }
        statistics.waiting = jobs.count
        statistics.longest = max(statistics.longest, jobs.count)
        sendOff(slot)
        return slot
    }

    /// Starts the part of a job that runs off the loop, if it has one still to be done.
    private func sendOff(_ slot: Int) {
        let job = jobs[slot]
        guard job.body == nil, let errand = job.errand else { return }
        let id = jobs.id(at: slot)
        let ticket = errand.pool.start(
            job.order, cost: errand.cost, work: errand.work
        ) { [weak self] result in
            self?.arrive(id, result)
        }
        jobs.update(slot) { $0.errand?.ticket = ticket }
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
        guard let slot = jobs.slot(of: key) else { return false }
        update(slot) { job in
            job.urgency = urgency
            job.rank = rank
        }
        return true
    }

    private func update(_ slot: Int, _ change: (inout Job<Key>) -> Void) {
        jobs.update(slot, change)
        let job = jobs[slot]
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
            cancelRunning()
            return true
        }
        guard let slot = jobs.slot(of: key) else { return false }
        end(remove(slot), .cancelled)
        return true
    }

    /// Takes back every job that is there now, the oldest first.
    ///
    /// What their callbacks hand in is not taken back. O(n log n).
    public func cancelAll() {
        cancelRunning()
        let all = jobs.oldestFirst.map { remove($0) }
        statistics.cancelled += all.count  // before any callback, so that the counts always agree
        for job in all { tell(job, .cancelled) }
    }

    private func cancelRunning() {
        let successor = running?.successor
        running?.isCancelled = true
        running?.successor = nil
        successor?.onEnd?(.cancelled)
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
        while loop.isRunning, let next = jobs.next {
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
        if let successor = ran.successor { _ = submit(successor) }
        if case .success(.skipped) = outcome { return true }
        return false
    }

    /// Puts a job back that has more slices; what it asked of its own key meanwhile joins it.
    private func resume(_ ran: Running) {
        var job = ran.job
        if let successor = ran.successor {
            statistics.joined += 1
            job.join(successor)
        }
        if let slot = insert(job) { jobs.keepGoing(slot) }
    }

    private func sliceEnd(due: Instant) -> Instant {
        guard let slice = configuration.slice else { return .distantFuture }
        let end = loop.clock.now.advanced(by: slice)
        return configuration.endsSlicesWhenDue ? min(end, due) : end
    }

    /// Takes the result of work off the loop: what is left of the job may run in a lull.
    private func arrive(_ id: JobTable<Key>.ID, _ result: Result<any Sendable, any Error>) {
        let then = jobs[id.index].errand?.then
        jobs.update(id.index) { $0.errand = nil }
        switch result {
        case .success(let output):
            guard let body = then?(output) else { preconditionFailure("work gives its own type") }
            guard jobs.contains(id) else { return }  // `then` may have taken the job back
            jobs.update(id.index) { $0.body = body }
        case .failure(let error):
            end(remove(id.index), .failed(error))
        }
    }

    /// Takes a job out of the table, and its work off the workers.
    private func remove(_ slot: Int) -> Job<Key> {
        var job = jobs.remove(slot)
        statistics.waiting = jobs.count
        if let errand = job.errand, let ticket = errand.ticket,
            case .success(let output)? = errand.pool.cancel(ticket)
        {
            job.errand?.output = output
        }
        return job
    }

    private func end(_ job: Job<Key>, _ end: JobEnd) {
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
    private func tell(_ job: Job<Key>, _ end: JobEnd) {
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
        precondition(statistics.isConserved, "every accepted job ends exactly once")
        jobs.checkInvariants()
    }
}
