internal import LullLibC

/// The jobs of a queue, and what becomes of them: requests in, ends out.
///
/// A change is made whole, and counted, before anybody hears of it: what has ended is put on a list,
/// and the queue tells of it when the change is complete. Nothing is called here.
struct JobMachine: ~Copyable {
    /// The jobs that wait or run.
    private(set) var table = JobTable()
    /// The current run of a job.
    private(set) var run = JobRun()
    /// The jobs that have ended since the list was last taken.
    private var ended = Buffer<EndedJob>()
    /// The counts of past events; the numbers of waiting and running jobs are those of the table.
    private var counts = QueueStatistics()
    private var fitting = JobFitting()
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// The queue's statistics.
    var statistics: QueueStatistics {
        var statistics = counts
        statistics.waiting = table.count
        statistics.running = table.running == nil ? 0 : 1
        statistics.heldBack = fitting.heldBackCount
        return statistics
    }

    /// The number of runs of jobs.
    var slices: Int { counts.slices }

    mutating func hasRoom(for priority: Priority) -> Bool {
        table.hasRoom(for: priority, limit: limit)
    }

    /// The slots of all jobs, including the running one.
    var slots: [Int] { table.waiting + (table.running.map { [$0] } ?? []) }

    /// Returns whether a slot holds the job of this number, or that job follows the one in the
    /// slot.
    func has(_ number: UInt64, at slot: Int) -> Bool {
        guard let job = table.job(at: slot) else { return false }
        return job.order.sequence == number
            || slot == table.running && run.followerNumber == number
    }

    // MARK: - What has ended

    /// Whether there are ends to tell.
    var hasEnded: Bool { !ended.isEmpty }

    /// Takes the list of the jobs that have ended.
    mutating func takeEnded() -> Buffer<EndedJob> {
        var list = Buffer<EndedJob>()
        swap(&list, &ended)
        return list
    }

    private mutating func end(_ parts: consuming JobParts, _ end: JobEnd, in slot: Int? = nil) {
        counts.count(end)
        ended.append(EndedJob(slot: slot, parts: parts, end: end))
    }

    // MARK: - Submitting

    /// Assigns a slot to a job whose key isn't in the queue.
    mutating func insert(_ job: consuming DetachedJob) -> Int {
        counts.accepted += 1
        return table.insert(job)
    }

    /// Drops a job, as the queue is closed or shutting down.
    mutating func refuse(_ job: consuming DetachedJob) {
        counts.accepted += 1
        end(job.parts, .dropped(.closed))
    }

    /// Drops the least urgent job if there is one too many.
    mutating func makeRoom() {
        if table.count > limit, let slot = table.nextToDrop { end(slot, .dropped(.full)) }
        counts.longest = max(counts.longest, table.count)
    }

    /// Joins a request to the waiting job of its key.
    mutating func join(_ slot: Int, _ job: consuming DetachedJob) {
        counts.joined += 1
        table.join(slot, job)
    }

    /// Lets a request wait for the end of the current run of its key's job; returns what became of
    /// it, and its number.
    mutating func follow(_ job: consuming DetachedJob) -> (Submission, number: UInt64) {
        let number = run.followerNumber ?? job.job.order.sequence
        let submission = run.follow(job)
        if case .joined = submission { counts.joined += 1 }
        return (submission, number)
    }

    // MARK: - Changes

    /// Changes a job, and updates its position in the orders.
    mutating func update(_ slot: Int, _ change: (inout Job) -> Void) {
        table.update(slot, change)
    }

    /// Sets the body that processes what a job's work off the loop has so far.
    mutating func process(_ slot: Int, _ body: @escaping Job.Body) {
        table.process(slot, body)
    }

    /// Sets the body that a job's work off the loop has provided.
    mutating func arrive(_ slot: Int, _ body: @escaping Job.Body) {
        table.arrive(slot, body)
    }

    /// Lets a job that has returned `waiting`, or is about to, wait for a lull again; returns whether
    /// it does so from now on.
    mutating func resume(_ slot: Int, at now: Instant) -> Bool {
        if slot == table.running { run.resume() }
        guard table[slot].awaited == .resumption else { return false }
        table.update(slot) { job in
            job.awaited = .lull
            job.wait(from: now)
        }
        return true
    }

    /// Calls `body` at the end of a job, after all other callbacks.
    mutating func whenEnded(_ slot: Int, _ body: @escaping (JobEnd) -> Void) {
        table.whenEnded(slot, body)
    }

    /// Ends a waiting job.
    mutating func end(_ slot: Int, _ end: JobEnd) {
        self.end(table.remove(slot), end, in: slot)
    }

    /// Cancels a job; returns false if it's running and was cancelled before.
    mutating func cancel(_ slot: Int) -> Bool {
        guard slot == table.running else {
            end(slot, .cancelled)
            return true
        }
        let isCancellable = run.isCancellable
        // The request that waited for the end of the run is accepted only now.
        if let follower = run.cancel() {
            counts.accepted += 1
            end(follower.parts, .cancelled)
        }
        return isCancellable
    }

    /// Cancels those jobs that are here, the oldest first and the running one last, and returns their
    /// number.
    mutating func cancel(_ ids: [JobTable.ID]) -> Int {
        let running = table.running
        let here = ids.filter { table.contains($0) }
        for id in table.oldestFirst(here) where id.index != running { end(id.index, .cancelled) }
        guard let running, here.contains(where: { $0.index == running }) else { return here.count }
        return here.count - (cancel(running) ? 0 : 1)
    }

    // MARK: - Running

    /// Returns the job to run at `now`; nil if none fits into the rest of the lull.
    mutating func choose(before limit: Instant, at now: Instant) -> Int? {
        fitting.choose(from: &table, before: limit, at: now)
    }

    /// Begins a run of a job; returns its body.
    mutating func start(_ slot: Int, at now: Instant, isOverdue: Bool) -> Job.Body {
        let body = table.start(slot)
        if isOverdue { counts.timedOut += 1 }
        if !table[slot].hasBegun {
            let wait = now.since(table[slot].waitStart)
            if wait > counts.longestDelay { counts.longestDelay = wait }
        }
        run.begin(at: now, isPart: table[slot].awaited == .part)
        if run.isPart { table[slot].awaited = .offLoopWork }
        return body
    }

    /// Notes the outcome and the nanoseconds of a slice of the running job.
    mutating func endSlice(_ outcome: Result<JobProgress, any Error>, cost: Int64) {
        run.endSlice(waits: outcome.saysWaiting)
        counts.slices += 1
        counts.totalRun += cost
        if cost > counts.longestRun { counts.longestRun = cost }
        if let slot = table.running, table[slot].isWhole, !outcome.saysSkipped {
            fitting.learn(cost, of: table[slot])
        }
    }

    /// Whether the running job, which returned `again`, would be chosen again without other changes
    /// to the queue.
    func goesOn(_ slot: Int) -> Bool {
        run.goesOn && table.next == slot && table.count < limit
    }

    /// Ends a run: puts the job back for its next slice, or removes it; returns the slot of a job
    /// that takes its place.
    mutating func endRun(
        of slot: Int, _ outcome: Result<JobProgress, any Error>, at now: Instant, isLate: Bool,
        isOpen: Bool, isAccepting: Bool
    ) -> Int? {
        if isLate { counts.overruns += 1 }
        var saysAgain = outcome.saysAgain
        if run.isPart, case .success(let progress) = outcome {
            // Its work off the loop may have more for it, or has ended meanwhile.
            if case .again = progress, table[slot].awaited == .offLoopWork {
                table[slot].awaited = .part
            }
            saysAgain = true
        }
        let calls = run.endRun()
        if saysAgain, !calls.isCancelled, isOpen {
            if calls.isSuspended { table[slot].awaited = .resumption }
            table.putBack(slot, at: now)
            if let follower = run.takeFollower() { join(slot, follower) }
            makeRoom()
            return nil
        }
        let how: JobEnd =
            switch outcome {
            case _ where saysAgain: .cancelled
            case .success(.skipped): .skipped
            case .success: .done
            case .failure(let error): .failed(error)
            }
        guard let follower = run.takeFollower() else {
            end(slot, how)
            return nil
        }
        counts.accepted += 1
        guard isAccepting else {
            end(slot, how)
            end(follower.parts, .cancelled)
            return nil
        }
        end(table.replace(slot, with: follower), how)
        makeRoom()
        return slot
    }

    /// Ends a run after all callbacks.
    mutating func endCallbacks() { run.end() }

    func checkInvariants() {
        precondition(table.count <= limit, "a queue never exceeds its bound")
        precondition(statistics.isConserved, "every accepted job ends exactly once")
        precondition(ended.isEmpty, "every end is told when the change is complete")
        table.checkInvariants()
    }
}

extension Result<JobProgress, any Error> {
    fileprivate var saysWaiting: Bool {
        if case .success(.waiting) = self { true } else { false }
    }

    /// Whether the job was stale.
    var saysSkipped: Bool {
        if case .success(.skipped) = self { true } else { false }
    }

    /// Whether the job has more to do.
    var saysAgain: Bool {
        switch self {
        case .success(.again), .success(.waiting): true
        case .success(.done), .success(.skipped), .failure: false
        }
    }
}
