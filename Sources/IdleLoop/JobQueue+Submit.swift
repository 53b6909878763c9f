/// What is asked for when a job is handed in.
@usableFromInline
struct Request {
    let hash: UInt32
    let urgency: Urgency
    let rank: Int
    let cost: Duration?
    let kind: JobKind?
    let timeout: Duration?
    let onEnd: ((JobEnd) -> Void)?
    let body: Job.Body?
    let errand: Errand?

    @usableFromInline
    init(
        hash: UInt32, urgency: Urgency, rank: Int, cost: Duration?, kind: JobKind?,
        timeout: Duration?, onEnd: ((JobEnd) -> Void)?, body: Job.Body? = nil
    ) {
        self.init(
            hash: hash, urgency: urgency, rank: rank, cost: cost, kind: kind, timeout: timeout,
            onEnd: onEnd, body: body, errand: nil)
    }

    init(
        hash: UInt32, urgency: Urgency, rank: Int, cost: Duration?, kind: JobKind?,
        timeout: Duration?, onEnd: ((JobEnd) -> Void)?, body: Job.Body? = nil, errand: Errand?
    ) {
        precondition(cost.map { $0 >= .zero } ?? true, "a job's cost is not negative")
        precondition(timeout.map { $0 >= .zero } ?? true, "a job's timeout is not negative")
        self.hash = hash
        self.urgency = urgency
        self.rank = rank
        self.cost = cost
        self.kind = kind
        self.timeout = timeout
        self.onEnd = onEnd
        self.body = body
        self.errand = errand
    }
}

// Handing jobs in.
extension JobQueue {
    /// What becomes of a job at the door.
    @usableFromInline
    enum Admission {
        /// It has its slot, and needs its key and then to begin.
        case waits(slot: Int)
        /// It was not taken in.
        case ended(Submission)
    }

    @usableFromInline
    func job(_ request: Request) -> Job {
        sequence += 1
        let now = loop.clock.now
        var job = Job(
            hash: request.hash, urgency: request.urgency, rank: request.rank, sequence: sequence,
            submitted: now)
        job.body = request.body
        job.errand = request.errand
        job.hasArrived = request.errand == nil
        job.onEnd = request.onEnd
        job.hint = request.cost
        if let kind = request.kind { job.kind = costs.number(of: kind) }
        if let timeout = request.timeout { job.expiry = now.advanced(by: timeout) }
        return job
    }

    /// Gives a job whose key isn't here its slot, if there's room.
    @usableFromInline
    func takeIn(_ job: Job) -> Admission {
        guard isOpen else { return turnAway(job, .closed) }
        switch configuration.overflow {
        case .dropNewest where isFull(withOneMoreOf: job.hint ?? .zero):
            return turnAway(job, .full)
        case .reject where isFull(withOneMoreOf: job.hint ?? .zero):
            statistics.rejected += 1
            return .ended(.rejected)
        default:
            statistics.accepted += 1
            return .waits(slot: jobs.insert(job))
        }
    }

    private func turnAway(_ job: Job, _ reason: JobEnd.DropReason) -> Admission {
        statistics.accepted += 1
        end(job, .dropped(reason))
        return .ended(.dropped)
    }

    /// Has a job that was taken in wait, and drops what there's no room for, which may be that one.
    @usableFromInline
    func begin(_ slot: Int) -> Submission {
        let id = jobs.id(at: slot)
        makeRoom(sendingOff: id)
        guard jobs.contains(id) else { return .dropped }
        statistics.waiting = jobs.count
        statistics.longest = max(statistics.longest, jobs.count)
        isReady()
        return .queued
    }

    /// Has a request join the job of its key, which waits.
    @usableFromInline
    func join(_ slot: Int, _ request: Request) -> Submission {
        statistics.joined += 1
        let job = job(request)
        update(slot) { $0.join(job) }
        armExpiry()
        makeRoom()
        return .joined
    }

    /// Has a request for the key of the job that runs wait for the end of that.
    @usableFromInline
    func follow(_ request: Request, submit: @escaping (Job) -> Void) -> Submission {
        let job = job(request)
        if successor == nil {
            successor = Successor(job: job, submit: submit)
        } else {
            successor?.job.join(job)
        }
        return .joined
    }

    /// Drops what there's no room for, the least worthy first.
    ///
    /// All of it leaves the queue before anybody is told, as whoever is told may hand in more.
    func makeRoom(sendingOff id: JobTable.ID? = nil) {
        var dropped: [Job] = []
        while isOverfull {
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
    private func arrive(_ id: JobTable.ID, _ result: Result<any Sendable, any Error>) {
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
