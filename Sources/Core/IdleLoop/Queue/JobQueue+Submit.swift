// Submitting jobs.
extension JobQueue {
    /// The result of admission.
    @usableFromInline
    enum Admission {
        /// The job has a slot; next it needs its key, and a call of `begin`.
        case waits(slot: Int)
        /// The job was not accepted.
        case ended(IdleJob.Place)
    }

    /// Creates a job from the arguments of a submission.
    @usableFromInline
    func job(
        hash: UInt32, priority: Priority, rank: Int, cost: Duration?, kind: JobKind?,
        timeout: Duration?, onEnd: consuming ((JobEnd) -> Void)?,
        body: consuming Job.Body? = nil, offLoopWork: consuming OffLoopWork? = nil
    ) -> DetachedJob {
        precondition(cost.map { $0 >= .zero } ?? true, "a job's cost is not negative")
        precondition(timeout.map { $0 >= .zero } ?? true, "a job's timeout is not negative")
        sequence &+= 1
        // Reading the clock takes a tenth of the time of everything else that a tiny job costs.
        let now = isInsideRun && timeout == nil ? runStart : loop.clock.now
        var job = Job(
            hash: hash,
            order: WorkOrder(priority: priority, rank: rank, sequence: sequence),
            submitted: now)
        job.hint = cost.map { min($0.wholeNanoseconds, Self.greatestCost) }
        if let kind { job.kind = Int32(costs.value.number(of: kind)) }
        if let timeout { job.expiry = now.advanced(by: timeout) }
        if offLoopWork != nil { job.awaited = .offLoopWork }
        return DetachedJob(
            job: job, parts: JobParts(body: body, onEnd: onEnd, offLoopWork: offLoopWork))
    }

    /// Assigns a slot to a job whose key isn't in the queue, if there's room.
    @usableFromInline
    func takeIn(_ detached: consuming DetachedJob) -> Admission {
        guard isAccepting else { return .ended(turnAway(detached, .closed)) }
        let cost = detached.job.hint ?? 0
        switch configuration.overflow {
        case .reject where isFull(withOneMoreOf: cost):
            counts.value.rejected += 1
            return .ended(IdleJob.Place(submission: .rejected))
        case .dropNewest where isFull(withOneMoreOf: cost):
            return .ended(turnAway(detached, .full))
        case _ where cost > costLimit:
            // It would empty the queue, and still not fit.
            return .ended(turnAway(detached, .full))
        default:
            counts.value.accepted += 1
            return .waits(slot: jobs.value.insert(detached))
        }
    }

    private func turnAway(
        _ detached: consuming DetachedJob, _ reason: JobEnd.DropReason
    ) -> IdleJob.Place {
        counts.value.accepted += 1
        counts.value.dropped += 1
        tell(detached.parts, .dropped(reason))
        return IdleJob.Place(submission: .dropped)
    }

    /// Lets an accepted job wait, and drops the jobs that exceed the limit, which may include this
    /// one.
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

    /// Joins a request to the waiting job of its key.
    @usableFromInline
    func join(_ slot: Int, _ job: consuming DetachedJob) -> IdleJob.Place {
        guard isAccepting else { return turnAway(job, .closed) }
        let number = jobs.value[slot].order.sequence
        let joined = IdleJob.Place(submission: .joined, slot: slot, numbers: (number, number))
        counts.value.joined += 1
        jobs.value.join(slot, job)
        guard jobs.value[slot].hint ?? 0 <= costLimit else {
            end(slot, .dropped(.full))
            return joined
        }
        reorderOffLoopWork(slot)
        armExpiry()
        makeRoom()
        return joined
    }

    /// Lets a request wait for the end of the current run of its key's job.
    @usableFromInline
    func follow(_ slot: Int, _ job: consuming DetachedJob) -> IdleJob.Place {
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

    /// Replaces a job that has ended by the request that waited for its end, if there's room;
    /// returns the old job's closures.
    ///
    /// The old job's end is counted, but nothing is called yet: its callbacks may submit the key
    /// again.
    func succeed(_ slot: Int, as end: JobEnd, by follower: consuming DetachedJob) -> JobParts {
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

    /// Returns whether there's room for work of this cost after the running job has left.
    private func hasRoom(after running: Int, for cost: Int64) -> Bool {
        guard cost <= costLimit else { return false }
        switch configuration.overflow {
        case .reject, .dropNewest:
            return jobs.value.count < configuration.limit && jobs.value.cost <= costLimit - cost
        case .dropLeastUrgent, .dropOldest: return true
        }
    }

    /// Drops jobs that exceed the limits, the least worthy first.
    ///
    /// All of them leave the queue before any callback is called, since callbacks may submit more.
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
            // Including the running job: it may come back, and then nothing is dropped for it.
            let held = jobs.value.held
            return held.count >= configuration.limit || held.cost > costLimit - cost
        case .dropLeastUrgent, .dropOldest:
            return jobs.value.count >= configuration.limit || jobs.value.cost > costLimit - cost
        }
    }

    /// Starts the part of a job that runs off the loop, if it has one that isn't done.
    private func sendOff(_ slot: Int) {
        guard !jobs.value[slot].hasArrived, let offLoopWork = jobs.value.offLoopWork(of: slot)
        else { return }
        let id = jobs.value.id(at: slot)
        offLoopWork.ticket = offLoopWork.begin(jobs.value[slot].order) { [weak self] result in
            self?.arrive(id, result)
        }
    }

    /// Handles the outcome of work off the loop: the rest of the job may run in a lull.
    private func arrive(_ id: JobTable.ID, _ result: Result<any Sendable, any Error>) {
        let offLoopWork = jobs.value.offLoopWork(of: id.index)
        // A `deinit` of what it captures may call back.
        defer { withExtendedLifetime(offLoopWork) {} }
        offLoopWork?.ticket = nil
        switch result {
        case .success(let output):
            guard let body = offLoopWork?.then(output) else {
                preconditionFailure("work gives its own type")
            }
            guard jobs.value.contains(id) else { return }  // `then` may have cancelled the job
            jobs.value.arrive(id.index, body)
            isReady()
        case .failure(let error):
            end(id.index, .failed(error))
        }
    }

    /// Marks the running job to wait for something other than a lull when it returns `again`;
    /// returns its identifier.
    func setAside() -> JobTable.ID? {
        guard let running = jobs.value.running else { return nil }
        isRunningSetAside = true
        return jobs.value.id(at: running)
    }

    /// Lets a job that was set aside wait for a lull again.
    func comeBack(_ id: JobTable.ID) {
        guard jobs.value.contains(id) else { return }
        jobs.value.comeBack(id.index)
        isReady()
    }

    /// Requests lulls and arms the timers for the waiting jobs.
    func isReady() {
        armExpiry()
        armDeferral()
        loop.wantIdle()
    }
}
