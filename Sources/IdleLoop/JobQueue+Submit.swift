/// What is asked for when a job is handed in.
@usableFromInline
struct Request {
    let hash: UInt32
    let priority: Priority
    let rank: Int
    let cost: Duration?
    let kind: JobKind?
    let timeout: Duration?
    let onEnd: ((JobEnd) -> Void)?
    let body: Job.Body?
    let errand: Errand?

    @usableFromInline
    init(
        hash: UInt32, priority: Priority, rank: Int, cost: Duration?, kind: JobKind?,
        timeout: Duration?, onEnd: ((JobEnd) -> Void)?, body: Job.Body? = nil
    ) {
        self.init(
            hash: hash, priority: priority, rank: rank, cost: cost, kind: kind, timeout: timeout,
            onEnd: onEnd, body: body, errand: nil)
    }

    init(
        hash: UInt32, priority: Priority, rank: Int, cost: Duration?, kind: JobKind?,
        timeout: Duration?, onEnd: ((JobEnd) -> Void)?, body: Job.Body? = nil, errand: Errand?
    ) {
        precondition(cost.map { $0 >= .zero } ?? true, "a job's cost is not negative")
        precondition(timeout.map { $0 >= .zero } ?? true, "a job's timeout is not negative")
        self.hash = hash
        self.priority = priority
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
    func job(_ request: Request) -> LooseJob {
        sequence &+= 1
        let now = loop.clock.now
        var job = Job(
            hash: request.hash,
            order: WorkOrder(priority: request.priority, rank: request.rank, sequence: sequence),
            submitted: now)
        job.hint = request.cost.map { min($0.wholeNanoseconds, Self.greatestCost) }
        if let kind = request.kind { job.kind = Int32(costs.number(of: kind)) }
        if let timeout = request.timeout { job.expiry = now.advanced(by: timeout) }
        if request.errand != nil { job.awaited = .errand }
        return LooseJob(
            job: job,
            parts: JobParts(body: request.body, onEnd: request.onEnd, errand: request.errand))
    }

    /// Gives a job whose key isn't here its slot, if there's room.
    @usableFromInline
    func takeIn(_ loose: consuming LooseJob) -> Admission {
        guard isAccepting else { return .ended(turnAway(loose, .closed)) }
        let cost = loose.job.hint ?? 0
        switch configuration.overflow {
        case .reject where isFull(withOneMoreOf: cost):
            statistics.rejected += 1
            return .ended(.rejected)
        case .dropNewest where isFull(withOneMoreOf: cost):
            return .ended(turnAway(loose, .full))
        case _ where cost > costLimit:
            // It would empty the queue, and have no room all the same.
            return .ended(turnAway(loose, .full))
        default:
            statistics.accepted += 1
            return .waits(slot: jobs.insert(loose))
        }
    }

    private func turnAway(_ loose: LooseJob, _ reason: JobEnd.DropReason) -> Submission {
        statistics.accepted += 1
        statistics.dropped += 1
        tell(loose.parts, .dropped(reason))
        return .dropped
    }

    /// Has a job that was taken in wait, and drops what there's no room for, which may be that one.
    @usableFromInline
    func begin(_ slot: Int) -> Submission {
        if isOverfull || !jobs[slot].hasArrived {
            let id = jobs.id(at: slot)
            makeRoom(sendingOff: id)
            guard jobs.contains(id) else { return .dropped }
        }
        statistics.waiting = jobs.count
        statistics.longest = max(statistics.longest, jobs.count)
        isReady()
        return .queued
    }

    /// Has a request join the job of its key, which waits.
    @usableFromInline
    func join(_ slot: Int, _ request: Request) -> Submission {
        guard isAccepting else { return turnAway(job(request), .closed) }
        statistics.joined += 1
        jobs.join(slot, job(request))
        guard jobs[slot].hint ?? 0 <= costLimit else {
            end(slot, .dropped(.full))
            return .joined
        }
        reorderErrand(slot)
        armExpiry()
        makeRoom()
        return .joined
    }

    /// Has a request for the key of the job that runs wait for the end of that run.
    @usableFromInline
    func follow(_ request: Request) -> Submission {
        let job = job(request)
        guard isAccepting else { return turnAway(job, .closed) }
        guard let follower else {
            follower = Follower(job)
            return .follows
        }
        statistics.joined += 1
        follower.job.join(job)
        return .joined
    }

    /// Has the request that waited for the end of a job take that one's place, if there's room, and
    /// gives what the old one was.
    ///
    /// Its end is counted, and nobody has been told of it: who is told may ask for the key again.
    func succeed(_ slot: Int, as end: JobEnd, by follower: Follower) -> JobParts {
        statistics.accepted += 1
        guard isAccepting, hasRoom(after: slot, for: follower.job.job.hint ?? 0) else {
            let word: JobEnd = isAccepting ? .dropped(.full) : .cancelled
            count(word)
            let parts = takeOut(slot, as: end)
            tell(follower.job.parts, word)
            return parts
        }
        count(end)
        let parts = jobs.replace(slot, with: follower.job)
        _ = begin(slot)
        return parts
    }

    /// Whether there's room for so much work once the job that runs has left.
    private func hasRoom(after running: Int, for cost: Int64) -> Bool {
        guard cost <= costLimit else { return false }
        switch configuration.overflow {
        case .reject, .dropNewest:
            return jobs.count < configuration.limit && jobs.cost <= costLimit - cost
        case .dropLeastUrgent, .dropOldest: return true
        }
    }

    /// Drops what there's no room for, the least worthy first.
    ///
    /// All of it leaves the queue before anybody is told, as whoever is told may hand in more.
    func makeRoom(sendingOff id: JobTable.ID? = nil) {
        guard isOverfull || id != nil else { return }
        var dropped: [JobParts] = []
        while isOverfull {
            guard let victim = jobs.victim else { break }
            dropped.append(takeOut(victim, as: .dropped(.full)))
        }
        if jobs.running == nil { disarm() }
        for parts in dropped { callOff(parts) }
        if let id, jobs.contains(id) { sendOff(id.index) }
        for parts in dropped { tell(parts, .dropped(.full)) }
    }

    private var isOverfull: Bool {
        if jobs.count > configuration.limit { return true }
        return jobs.cost > costLimit
    }

    func isFull(withOneMoreOf cost: Int64) -> Bool {
        switch configuration.overflow {
        case .reject, .dropNewest:
            // With the job that runs: it may come back, and nothing is dropped for it then.
            let held = jobs.held
            return held.count >= configuration.limit || held.cost > costLimit - cost
        case .dropLeastUrgent, .dropOldest:
            return jobs.count >= configuration.limit || jobs.cost > costLimit - cost
        }
    }

    /// Starts the part of a job that runs off the loop, if it has one still to be done.
    private func sendOff(_ slot: Int) {
        guard !jobs[slot].hasArrived, let errand = jobs.errand(of: slot) else { return }
        let id = jobs.id(at: slot)
        errand.ticket = errand.begin(jobs[slot].order) { [weak self] result in
            self?.arrive(id, result)
        }
    }

    /// Takes the result of work off the loop: what is left of the job may run in a lull.
    private func arrive(_ id: JobTable.ID, _ result: Result<any Sendable, any Error>) {
        let errand = jobs.errand(of: id.index)
        defer { withExtendedLifetime(errand) {} }  // what it holds may call as it goes
        errand?.ticket = nil
        switch result {
        case .success(let output):
            guard let body = errand?.then(output) else {
                preconditionFailure("work gives its own type")
            }
            guard jobs.contains(id) else { return }  // `then` may have taken the job back
            jobs.arrive(id.index, body)
            isReady()
        case .failure(let error):
            end(id.index, .failed(error))
        }
    }

    /// Has the job that runs wait for something else than a lull when it says `again`; gives its name.
    func setAside() -> JobTable.ID? {
        guard let running = jobs.running else { return nil }
        isRunningSetAside = true
        return jobs.id(at: running)
    }

    /// Has a job that was set aside wait for a lull again.
    func comeBack(_ id: JobTable.ID) {
        guard jobs.contains(id) else { return }
        jobs.comeBack(id.index)
        isReady()
    }

    /// Sees to it that what waits now will run.
    func isReady() {
        armExpiry()
        armDeferral()
        loop.wantIdle()
    }
}
