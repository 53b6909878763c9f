// Handing jobs in.
extension IdleQueue {
    /// Hands in a job that runs in lulls, in slices if it says `again`.
    ///
    /// `rank` orders jobs of one urgency, the smaller first; equal ones run in the order they came.
    /// A job with a `cost`, what one run of it takes, or with a `kind`, of which that is learned, is
    /// a whole one: it is started only if it is expected to end before a timer or frame would be
    /// later than its tolerance. Any other is expected to stop when its slot `isOver`. After `timeout`
    /// it runs whatever else there is, and its slot says so.
    ///
    /// `onEnd` is called once, on the loop, however the job ends, unless it was rejected. If the key
    /// is there already the request joins it: the job takes the new urgency and rank, `body` is let
    /// go, and `onEnd` is called with the job's. A queue that is closed drops what it's handed.
    /// O(log n).
    @discardableResult
    public func submit(
        _ key: Key, urgency: Urgency = .near, rank: Int = 0, cost: Duration? = nil,
        kind: JobKind? = nil, timeout: Duration? = nil, onEnd: ((JobEnd) -> Void)? = nil,
        _ body: @escaping Body
    ) -> Submission {
        var job = newJob(key, urgency, rank, cost: cost, kind: kind, timeout: timeout)
        job.body = body
        job.onEnd = onEnd
        return submit(job)
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
        _ key: Key, urgency: Urgency = .near, rank: Int = 0, on pool: WorkerPool,
        cost: Duration = .zero, kind: JobKind? = nil, timeout: Duration? = nil,
        onEnd: ((JobEnd) -> Void)? = nil,
        work: @escaping @Sendable () throws -> Output, then: @escaping (Output) -> Body
    ) -> Submission {
        var job = newJob(
            key, urgency, rank, cost: cost == .zero ? nil : cost, kind: kind, timeout: timeout)
        job.errand = Errand(pool: pool, cost: cost, work: work) { ($0 as? Output).map(then) }
        job.hasArrived = false
        job.onEnd = onEnd
        return submit(job)
    }

    private func newJob(
        _ key: Key, _ urgency: Urgency, _ rank: Int, cost: Duration?, kind: JobKind?,
        timeout: Duration?
    ) -> Job<Key> {
        precondition(cost.map { $0 >= .zero } ?? true, "a job's cost is not negative")
        precondition(timeout.map { $0 >= .zero } ?? true, "a job's timeout is not negative")
        sequence += 1
        let now = loop.clock.now
        var job = Job(key: key, urgency: urgency, rank: rank, sequence: sequence, submitted: now)
        job.hint = cost
        if let kind { job.kind = costs.number(of: kind) }
        if let timeout { job.expiry = now.advanced(by: timeout) }
        return job
    }

    func submit(_ job: Job<Key>) -> Submission {
        guard observer != nil else {
            statistics.accepted += 1
            end(job, .dropped(.closed))
            return .dropped
        }
        if let slot = jobs.slot(of: job.key) {
            return join(job, slot)
        }
        if configuration.overflow == .reject, isFull(withOneMoreOf: job.hint ?? .zero) {
            statistics.rejected += 1
            return .rejected
        }
        statistics.accepted += 1
        if configuration.overflow == .dropNewest, isFull(withOneMoreOf: job.hint ?? .zero) {
            end(job, .dropped(.full))
            return .dropped
        }
        return insert(job)
    }

    /// Has a request join the job of its key, which waits or runs.
    private func join(_ job: Job<Key>, _ slot: Int) -> Submission {
        if slot == jobs.running {
            if successor == nil {
                successor = job
            } else {
                successor?.join(job)
            }
            return .joined
        }
        let id = jobs.id(at: slot)
        statistics.joined += 1
        update(slot) { $0.join(job) }
        makeRoom()
        if jobs.contains(id) { armExpiry() }
        return .joined
    }

    /// Puts a job among the waiting and drops what there's no room for, which may be that one.
    private func insert(_ job: Job<Key>) -> Submission {
        let slot = jobs.insert(job)
        let id = jobs.id(at: slot)
        makeRoom(sendingOff: id)
        guard jobs.contains(id) else { return .dropped }
        statistics.waiting = jobs.count
        statistics.longest = max(statistics.longest, jobs.count)
        isReady()
        return .queued
    }

    /// Drops what there's no room for, the least worthy first.
    ///
    /// All of it leaves the queue before anybody is told, as whoever is told may hand in more.
    func makeRoom(sendingOff id: JobTable<Key>.ID? = nil) {
        var dropped: [Job<Key>] = []
        while isOverfull {
            jobs.hideRunning()
            guard let victim = jobs.victim else { break }
            dropped.append(remove(victim))
            statistics.dropped += 1
        }
        if let id, jobs.contains(id) { sendOff(id.index) }
        for job in dropped { tell(job, .dropped(.full)) }
    }

    private var isOverfull: Bool {
        if jobs.count > configuration.limit { return true }
        guard let limit = configuration.costLimit else { return false }
        return jobs.cost > limit
    }

    func isFull(withOneMoreOf cost: Duration) -> Bool {
        if jobs.count >= configuration.limit { return true }
        guard let limit = configuration.costLimit else { return false }
        return jobs.cost + cost > limit
    }

    /// Whether a job of this cost has room in an empty queue.
    func fits(_ cost: Duration) -> Bool {
        configuration.costLimit.map { cost <= $0 } ?? true
    }

    /// Starts the part of a job that runs off the loop, if it has one still to be done.
    private func sendOff(_ slot: Int) {
        guard !jobs[slot].hasArrived, let errand = jobs[slot].errand else { return }
        let id = jobs.id(at: slot)
        errand.ticket = errand.pool.start(
            jobs[slot].order, cost: errand.cost, work: errand.work
        ) { [weak self] result in
            self?.arrive(id, result)
        }
    }

    /// Takes the result of work off the loop: what is left of the job may run in a lull.
    private func arrive(_ id: JobTable<Key>.ID, _ result: Result<any Sendable, any Error>) {
        let errand = jobs[id.index].errand
        errand?.ticket = nil
        switch result {
        case .success(let output):
            guard let body = errand?.then(output) else {
                preconditionFailure("work gives its own type")
            }
            guard jobs.contains(id) else { return }  // `then` may have taken the job back
            jobs.update(id.index) { job in
                job.errand = nil
                job.body = body
                job.hint = nil  // the work is done, and what it cost no longer waits
                job.hasArrived = true
            }
            isReady()
        case .failure(let error):
            jobs[id.index].errand = nil
            end(remove(id.index), .failed(error))
        }
    }

    /// Sees to it that what waits now will run.
    func isReady() {
        armExpiry()
        armDeferral()
        loop.wantIdle()
    }
}
