// Handing jobs in.
extension JobQueue {
    /// What becomes of a job at the door.
    @usableFromInline
    enum Admission {
        /// It has its slot, and needs its key and then to begin.
        case waits(slot: Int)
        /// It was not taken in.
        case ended(IdleJob.Place)
    }

    /// Makes a job of what is asked for when one is handed in.
    @usableFromInline
    func job(
        hash: UInt32, priority: Priority, rank: Int, cost: Duration?, kind: JobKind?,
        timeout: Duration?, onEnd: consuming ((JobEnd) -> Void)?,
        body: consuming Job.Body? = nil, errand: consuming Errand? = nil
    ) -> LooseJob {
        precondition(cost.map { $0 >= .zero } ?? true, "a job's cost is not negative")
        precondition(timeout.map { $0 >= .zero } ?? true, "a job's timeout is not negative")
        sequence &+= 1
        // A look at the clock takes as long as a tenth of all else that a tiny job costs.
        let now = isInsideRun && timeout == nil ? runStart : loop.clock.now
        var job = Job(
            hash: hash,
            order: WorkOrder(priority: priority, rank: rank, sequence: sequence),
            submitted: now)
        job.hint = cost.map { min($0.wholeNanoseconds, Self.greatestCost) }
        if let kind { job.kind = Int32(costs.value.number(of: kind)) }
        if let timeout { job.expiry = now.advanced(by: timeout) }
        if errand != nil { job.awaited = .errand }
        return LooseJob(job: job, parts: JobParts(body: body, onEnd: onEnd, errand: errand))
    }

    /// Gives a job whose key isn't here its slot, if there's room.
    @usableFromInline
    func takeIn(_ loose: consuming LooseJob) -> Admission {
        guard isAccepting else { return .ended(turnAway(loose, .closed)) }
        let cost = loose.job.hint ?? 0
        switch configuration.overflow {
        case .reject where isFull(withOneMoreOf: cost):
            counts.value.rejected += 1
            return .ended(IdleJob.Place(submission: .rejected))
        case .dropNewest where isFull(withOneMoreOf: cost):
            return .ended(turnAway(loose, .full))
        case _ where cost > costLimit:
            // It would empty the queue, and have no room all the same.
            return .ended(turnAway(loose, .full))
        default:
            counts.value.accepted += 1
            return .waits(slot: jobs.value.insert(loose))
        }
    }

    private func turnAway(
        _ loose: consuming LooseJob, _ reason: JobEnd.DropReason
    ) -> IdleJob.Place {
        counts.value.accepted += 1
        counts.value.dropped += 1
        tell(loose.parts, .dropped(reason))
        return IdleJob.Place(submission: .dropped)
    }

    /// Has a job that was taken in wait, and drops what there's no room for, which may be that one.
    @usableFromInline
    @discardableResult
    func begin(_ slot: Int) -> IdleJob.Place {
        let number = jobs.value[slot].order.sequence
        if isOverfull || !jobs.value[slot].hasArrived {
            let id = jobs.value.id(at: slot)
            makeRoom(sendingOff: id)
            guard jobs.value.contains(id) else { return IdleJob.Place(submission: .dropped) }
        }
        counts.value.longest = max(counts.value.longest, jobs.value.count)
        isReady()
        return IdleJob.Place(submission: .queued, slot: slot, numbers: (number, number))
    }

    /// Has a request join the job of its key, which waits.
    @usableFromInline
    func join(_ slot: Int, _ job: consuming LooseJob) -> IdleJob.Place {
        guard isAccepting else { return turnAway(job, .closed) }
        let number = jobs.value[slot].order.sequence
        let joined = IdleJob.Place(submission: .joined, slot: slot, numbers: (number, number))
        counts.value.joined += 1
        jobs.value.join(slot, job)
        guard jobs.value[slot].hint ?? 0 <= costLimit else {
            end(slot, .dropped(.full))
            return joined
        }
        reorderErrand(slot)
        armExpiry()
        makeRoom()
        return joined
    }

    /// Has a request for the key of the job that runs wait for the end of that run.
    @usableFromInline
    func follow(_ slot: Int, _ job: consuming LooseJob) -> IdleJob.Place {
        guard isAccepting else { return turnAway(job, .closed) }
        let running = jobs.value[slot].order.sequence
        if let own = follower.value?.job.order.sequence {
            counts.value.joined += 1
            follower.value?.join(job)
            return IdleJob.Place(submission: .joined, slot: slot, numbers: (own, running))
        }
        let own = job.job.order.sequence
        follower.value = consume job
        return IdleJob.Place(submission: .follows, slot: slot, numbers: (own, running))
    }

    /// Has the request that waited for the end of a job take that one's place, if there's room, and
    /// gives what the old one was.
    ///
    /// Its end is counted, and nobody has been told of it: who is told may ask for the key again.
    func succeed(_ slot: Int, as end: JobEnd, by follower: consuming LooseJob) -> JobParts {
        counts.value.accepted += 1
        guard isAccepting, hasRoom(after: slot, for: follower.job.hint ?? 0) else {
            let word: JobEnd = isAccepting ? .dropped(.full) : .cancelled
            count(word)
            let parts = takeOut(slot, as: end)
            tell(follower.parts, word)
            return parts
        }
        count(end)
        let parts = jobs.value.replace(slot, with: follower)
        begin(slot)
        return parts
    }

    /// Whether there's room for so much work once the job that runs has left.
    private func hasRoom(after running: Int, for cost: Int64) -> Bool {
        guard cost <= costLimit else { return false }
        switch configuration.overflow {
        case .reject, .dropNewest:
            return jobs.value.count < configuration.limit && jobs.value.cost <= costLimit - cost
        case .dropLeastUrgent, .dropOldest: return true
        }
    }

    /// Drops what there's no room for, the least worthy first.
    ///
    /// All of it leaves the queue before anybody is told, as whoever is told may hand in more.
    func makeRoom(sendingOff id: JobTable.ID? = nil) {
        guard isOverfull || id != nil else { return }
        var dropped = Buffer<JobParts>()
        while isOverfull {
            guard let victim = jobs.value.victim else { break }
            dropped.append(takeOut(victim, as: .dropped(.full)))
        }
        if jobs.value.running == nil { disarm() }
        for index in 0..<dropped.count { callOff(dropped[index]) }
        if let id, jobs.value.contains(id) { sendOff(id.index) }
        for index in 0..<dropped.count { tell(dropped[index], .dropped(.full)) }
    }

    private var isOverfull: Bool {
        if jobs.value.count > configuration.limit { return true }
        return jobs.value.cost > costLimit
    }

    func isFull(withOneMoreOf cost: Int64) -> Bool {
        switch configuration.overflow {
        case .reject, .dropNewest:
            // With the job that runs: it may come back, and nothing is dropped for it then.
            let held = jobs.value.held
            return held.count >= configuration.limit || held.cost > costLimit - cost
        case .dropLeastUrgent, .dropOldest:
            return jobs.value.count >= configuration.limit || jobs.value.cost > costLimit - cost
        }
    }

    /// Starts the part of a job that runs off the loop, if it has one still to be done.
    private func sendOff(_ slot: Int) {
        guard !jobs.value[slot].hasArrived, let errand = jobs.value.errand(of: slot) else { return }
        let id = jobs.value.id(at: slot)
        errand.ticket = errand.begin(jobs.value[slot].order) { [weak self] result in
            self?.arrive(id, result)
        }
    }

    /// Takes the result of work off the loop: what is left of the job may run in a lull.
    private func arrive(_ id: JobTable.ID, _ result: Result<any Sendable, any Error>) {
        let errand = jobs.value.errand(of: id.index)
        defer { withExtendedLifetime(errand) {} }  // what it holds may call as it goes
        errand?.ticket = nil
        switch result {
        case .success(let output):
            guard let body = errand?.then(output) else {
                preconditionFailure("work gives its own type")
            }
            guard jobs.value.contains(id) else { return }  // `then` may have taken the job back
            jobs.value.arrive(id.index, body)
            isReady()
        case .failure(let error):
            end(id.index, .failed(error))
        }
    }

    /// Has the job that runs wait for something else than a lull when it says `again`; gives its name.
    func setAside() -> JobTable.ID? {
        guard let running = jobs.value.running else { return nil }
        isRunningSetAside = true
        return jobs.value.id(at: running)
    }

    /// Has a job that was set aside wait for a lull again.
    func comeBack(_ id: JobTable.ID) {
        guard jobs.value.contains(id) else { return }
        jobs.value.comeBack(id.index)
        isReady()
    }

    /// Sees to it that what waits now will run.
    func isReady() {
        armExpiry()
        armDeferral()
        loop.wantIdle()
    }
}
