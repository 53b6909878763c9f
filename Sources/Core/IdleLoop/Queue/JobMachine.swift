internal import LullLibC

/// The jobs of a queue, and what becomes of them: requests in, ends out.
///
/// A change is made whole, and counted, before anybody hears of it: what has ended is put on a list,
/// and the queue tells of it when the change is complete. Nothing is called here.
struct JobMachine: ~Copyable {
    /// The jobs that wait or run.
    var table = JobTable()
    /// The jobs that have ended since the list was last taken.
    private var ended = Buffer<EndedJob>()
    /// The counts of past events; the numbers of waiting and running jobs are those of the table.
    private var counts = QueueStatistics()
    private let limit: Int

    /// The beginning of the current run of a job; nil after the callbacks at its end.
    private(set) var runStart: Instant?
    /// Whether the run processes a part of what work off the loop has so far.
    private var isPart = false
    // What was called during the run.
    private var isCancelled = false
    private var isSuspended = false
    private var isResumed = false
    private var leaves = false
    /// Whether the running job has a part that may run anywhere.
    private var hasPart = false
    private var nextPart: LaneRun?
    /// Whether lanes have room for the running job.
    private(set) var isCalled = false
    /// A request for the key of the running job: it joins that if there are more slices, and
    /// otherwise takes its place.
    private var follower: DetachedJob?

    /// What jobs have cost by their kinds.
    private var kinds = CostEstimator()
    /// What jobs have cost for what was given as their costs.
    private var givenCosts = CostLine()
    /// The limit of the last lull.
    private var lullLimit = Instant.distantFuture
    /// The limit of the last lull in which a job was held back.
    private var heldLimit = Instant.distantFuture

    /// The number of lulls in which a job may be held back.
    private static let mostLulls = 8
    /// The longest given cost, in nanoseconds: an hour is more than any lull has.
    private static let longestCost: Int64 = 1 << 42
    /// The number of the kind of jobs whose cost is given; its size is that cost.
    private static let given = Int.min

    init(limit: Int) {
        self.limit = limit
    }

    /// The queue's statistics.
    var statistics: QueueStatistics {
        var statistics = counts
        statistics.waiting = table.count
        statistics.running = table.running == nil ? 0 : 1
        return statistics
    }

    mutating func hasRoom(for priority: Priority) -> Bool {
        table.hasRoom(for: priority, limit: limit)
    }

    /// Returns whether a slot holds the job of this number, or that job follows the one in the
    /// slot.
    func has(_ number: UInt64, at slot: Int) -> Bool {
        guard let job = table.job(at: slot) else { return false }
        return job.order.sequence == number || slot == table.running && followerNumber == number
    }

    /// The number of the request that waits for the end of the current run.
    private var followerNumber: UInt64? {
        switch follower {
        case .some(let follower): follower.job.order.sequence
        case nil: nil
        }
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
    @inline(__always)
    mutating func makeRoom() {
        if table.count > limit { dropNext() }
        counts.longest = max(counts.longest, table.count)
    }

    private mutating func dropNext() {
        if let slot = table.nextToDrop { end(slot, .dropped(.full)) }
    }

    /// Joins a request to the waiting job of its key.
    mutating func join(_ slot: Int, _ job: consuming DetachedJob) {
        counts.joined += 1
        table.join(slot, job)
    }

    /// Lets a request wait for the end of the current run of its key's job, or joins it to the one that
    /// does; returns what became of it, and the number of the one that waits.
    mutating func follow(_ job: consuming DetachedJob) -> (Submission, number: UInt64) {
        guard let number = followerNumber else {
            let number = job.job.order.sequence
            follower = consume job
            return (.follows, number)
        }
        counts.joined += 1
        follower?.join(job)
        return (.joined, number)
    }

    // MARK: - Changes

    /// Lets a job that has returned `waiting`, or is about to, wait for a lull again; returns whether
    /// it does so from now on.
    mutating func resume(_ slot: Int, at now: Instant) -> Bool {
        if slot == table.running { isResumed = true }
        if let run = table.part(of: slot) { unsafe run.isResumed = true }
        guard table[slot].awaited == .resumption else { return false }
        table.update(slot) { job in
            job.awaited = .lull
            job.wait(from: now)
        }
        return true
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
        let isCancellable = !isCancelled || followerNumber != nil
        isCancelled = true
        // The request that waited for the end of the run is accepted only now.
        if let follower = follower.take() {
            counts.accepted += 1
            end(follower.parts, .cancelled)
        }
        return isCancellable
    }

    /// Cancels those jobs that are here, the oldest first and the running one last, and returns their
    /// number.
    mutating func cancel(_ ids: [JobTable.ID]) -> Int {
        let running = table.running
        let slots = ids.filter { table.contains($0) && $0.index != running }.map(\.index)
        let oldestFirst = slots.sorted { table[$0].order.sequence < table[$1].order.sequence }
        for slot in oldestFirst { end(slot, .cancelled) }
        guard let running, ids.contains(table.id(at: running)) else { return slots.count }
        return slots.count + (cancel(running) ? 1 : 0)
    }

    // MARK: - Running

    /// Returns the job to run at `now`; nil if none fits into the rest of the lull.
    ///
    /// That is the next job, if it ends before `limit`; else a job behind it that does: one in slices,
    /// after each of which the held one is tried again, or a shorter whole one. Where no timer or
    /// frame has a tolerance, every job fits. O(1).
    mutating func choose(before limit: Instant, at now: Instant) -> Int? {
        guard let next = table.next, limit < .distantFuture else { return table.next }
        let isWholeLull = limit != lullLimit
        lullLimit = limit
        let room = limit.since(now)
        if !table[next].isWhole || expectedCost(of: table[next]) <= room { return next }
        if limit != heldLimit {
            heldLimit = limit
            counts.heldBack += 1
            table[next].lullsHeld = min(table[next].lullsHeld + 1, 100)
        }
        // What doesn't fit into a whole lull starts there, right after what was due, where it does
        // least harm, and what never gets one starts anywhere in the end.
        if table[next].lullsHeld > (isWholeLull ? 1 : Self.mostLulls) { return next }
        return table.fitting { job in
            let cost = expectedCost(of: job)
            return !job.isWhole || cost <= room ? cost : nil
        }
    }

    /// Begins a run of a job; returns its body.
    @inline(__always)
    mutating func start(_ slot: Int, at now: Instant, isOverdue: Bool) -> Job.Body {
        isCalled = table.takeCall(of: slot)
        let body = table.start(slot)
        hasPart = table.hasPart(slot)
        if isOverdue { counts.timedOut += 1 }
        if !table[slot].hasBegun {
            let wait = now.since(table[slot].waitStart)
            if wait > counts.longestDelay { counts.longestDelay = wait }
        }
        runStart = now
        isPart = table[slot].awaited == .part
        if isPart { table[slot].awaited = .offLoopWork }
        return body
    }

    /// Notes the outcome and the nanoseconds of a slice of the running job, which waits afterwards if
    /// it says so, unless `resume` was called in it.
    mutating func endSlice(of slot: Int, _ progress: JobProgress, cost: Int64) {
        isSuspended = progress == .waiting && !isPart && !isResumed
        // It may have been resumed between the end of its part on a lane and this commit.
        if isSuspended, !table[slot].isAnywhere, let part = table.part(of: slot) {
            isSuspended = unsafe !part.isResumed
        }
        isResumed = false
        counts.slices += 1
        counts.totalRun += cost
        if cost > counts.longestRun { counts.longestRun = cost }
        if table[slot].isWhole, progress != .skipped { learn(cost, of: table[slot]) }
    }

    /// Whether the running job, which returned `again`, would be chosen again without other changes
    /// to the queue.
    @inline(__always)
    func goesOn(_ slot: Int) -> Bool {
        !isCancelled && !isSuspended && !leaves && followerNumber == nil
            && table.next == slot && table.count < limit
    }

    /// Ends a run: puts the job back for its next slice, or removes it; returns the slot of a job
    /// that takes its place.
    mutating func endRun(
        of slot: Int, _ progress: JobProgress, _ error: (any Error)?, at now: Instant, isLate: Bool,
        isOpen: Bool, isAccepting: Bool
    ) -> Int? {
        if isLate { counts.overruns += 1 }
        // Its work off the loop may have more for it, or has ended meanwhile, or its part that may run
        // anywhere is to be committed.
        let isLanePart = hasPart && table.isPart(slot)
        let saysAgain = progress.saysAgain || (isPart || isLanePart) && error == nil
        if isPart, progress == .again, table[slot].awaited == .offLoopWork {
            table[slot].awaited = .part
        }
        let leaves = leaves
        self.leaves = false
        if leaves { table.leaveNext(slot, nextPart.take()) }
        let goesOn = saysAgain && !isCancelled && isOpen
        isCancelled = false
        guard !goesOn else {
            if isSuspended { table[slot].awaited = .resumption }
            if hasPart || table[slot].isAnywhere, !leaves, !isLanePart || !progress.saysAgain {
                table.stay(slot, afterPart: isLanePart)
            }
            table.putBack(slot, at: now)
            // Looked at before it's taken, as it's rarely there and large.
            if followerNumber != nil, let follower = follower.take() { join(slot, follower) }
            makeRoom()
            return nil
        }
        let end: JobEnd =
            if saysAgain { .cancelled } else if let error { .failed(error) } else {
                progress == .skipped ? .skipped : .done
            }
        guard let follower = follower.take() else {
            self.end(slot, end)
            return nil
        }
        counts.accepted += 1
        guard isAccepting else {
            self.end(slot, end)
            self.end(follower.parts, .cancelled)
            return nil
        }
        self.end(table.replace(slot, with: follower), end)
        makeRoom()
        return slot
    }

    // MARK: - Lanes

    /// Lets lanes go on with the running job; afterwards its body is called again on the loop.
    ///
    /// Without a run, that is called when lanes have room.
    mutating func leave(_ run: LaneRun?) { (leaves, nextPart) = (true, run) }

    /// Takes a job back whose run wasn't begun, or is to be: it waits for a lane or a lull again.
    mutating func readmit(_ slot: Int) {
        table.update(slot) { $0.awaited = .lull }
    }

    /// Takes a job back from a lane: it has ended, or waits again.
    mutating func takeBack(_ slot: Int, _ run: LaneRun, at now: Instant) {
        let (outcome, isResumed) = unsafe (run.outcome, run.isResumed)
        guard let start = outcome.start else { return readmit(slot) }
        let job = table[slot]
        if !job.hasBegun {
            counts.longestDelay = max(counts.longestDelay, start.since(job.waitStart))
        }
        counts.slices += outcome.slices
        counts.totalRun += outcome.total
        counts.longestRun = max(counts.longestRun, outcome.longest)
        if job.kind != nil, outcome.progress != .skipped, outcome.slices == 1 {
            learn(outcome.total, of: job)
        }
        if let error = outcome.error { return end(slot, .failed(error)) }
        switch outcome.progress {
        case .done where table.isPart(slot):
            table.update(slot) { job in
                (job.hasBegun, job.isAnywhere, job.awaited) = (true, false, .lull)
                job.wait(from: now)
            }
        case .done: end(slot, .done)
        case .skipped: end(slot, .skipped)
        case .again, .waiting:
            let isSuspended = outcome.progress == .waiting && !isResumed
            table.update(slot) { job in
                job.hasBegun = true
                job.awaited = isSuspended ? .resumption : .lull
                job.wait(from: now)
            }
        }
    }

    // MARK: - Costs

    /// Returns the kind of a job whose cost is given.
    static func kind(ofCost cost: Duration) -> WorkKind {
        WorkKind(given, size: Int(min(max(0, cost.wholeNanoseconds), longestCost)))
    }

    /// Learns what a run of a job has cost.
    private mutating func learn(_ cost: Int64, of job: Job) {
        guard let kind = job.kind else { return }
        guard kind.number == Self.given, let size = kind.size else {
            return kinds.learn(.nanoseconds(cost), of: kind)
        }
        // At first given costs are believed.
        if givenCosts.count == 0 { givenCosts.add(Double(size), size: size) }
        givenCosts.add(Double(cost), size: size)
    }

    /// Returns the nanoseconds that a run of a job rarely exceeds; zero for one that stops in time.
    ///
    /// A kind that was never seen is expected to cost what all have cost.
    private func expectedCost(of job: Job) -> Int64 {
        guard job.isWhole, let kind = job.kind else { return 0 }
        guard kind.number == Self.given, let size = kind.size else {
            return (kinds.expected(of: kind) ?? kinds.usual)?.wholeBound ?? 0
        }
        return givenCosts.count == 0 ? Int64(size) : givenCosts.estimate(ofSize: size).wholeBound
    }

    /// Ends a run after all callbacks.
    mutating func endCallbacks() { runStart = nil }

    func checkInvariants() {
        precondition(table.count <= limit, "a queue never exceeds its bound")
        precondition(statistics.isConserved, "every accepted job ends exactly once")
        precondition(ended.isEmpty, "every end is told when the change is complete")
        table.checkInvariants()
    }
}

extension JobProgress {
    /// Whether the job has more to do.
    var saysAgain: Bool { self == .again || self == .waiting }
}
