internal import LullLibC

/// The scheduler of an idle queue's jobs, without the types of their keys.
///
/// It isn't generic, so that the code of each lull is compiled once, for all keys. Jobs are
/// identified by their slots. Times that are compared in each pass are in nanoseconds, since a
/// `Duration` has 128 bits.
@usableFromInline
final class JobQueue: IdleWorker {
    /// Its configuration, with a name of its own if it was given none.
    private(set) var configuration: QueueConfiguration
    let loop: LoopContext
    let keys: any JobKeys
    /// Whether keys are released as their jobs end.
    private var releasesKeys: Bool

    /// The counts of past events; the numbers of waiting and running jobs are those of the table.
    private let counts = ConfinedBox(QueueStatistics())
    private let jobs: ConfinedBox<JobTable>
    private let fitting = ConfinedBox(JobFitting())
    private let current = ConfinedBox(JobRun())
    private var sequence: UInt64 = 0

    /// The maximum cost of a job, in nanoseconds: an hour is more than any lull has.
    private static let greatestCost: Int64 = 1 << 42
    private let slice: Int64?
    /// The time for which jobs run before the next poll; it applies to stale jobs too, though they
    /// cost nothing.
    private let batch: Int64
    private let isBatched: Bool

    /// The timer for the earliest expiry.
    private var expiryTimer: (id: TimerTable.ID, moment: Instant)?
    private let deferral: ConfinedBox<Deferral?>
    private var deferralTimer: TimerTable.ID?
    /// The timer for the end of a frame of the host's that may not come.
    private var retryTimer: TimerTable.ID?
    /// Whether a timer of the queue was due inside a run.
    private var hasWaited = false

    /// Whether jobs are accepted: the queue is neither closed nor shutting down.
    private(set) var isAccepting = false
    /// A closure that removes the queue from its loop; nil if it isn't on one.
    private var leave: (() -> Void)?
    /// A closure that removes the queue from its loop after the current run.
    private var leaving: (() -> Void)?
    /// A reference to itself, if it was released during a run of its job or a callback of that
    /// job's end.
    private var selfRetain: JobQueue?
    private var shutdown: QueueShutdown?

    init(
        on loop: LoopContext, configuration: QueueConfiguration, keys: any JobKeys,
        releasesKeys: Bool
    ) {
        precondition(configuration.limit > 0, "an idle queue holds at least one job")
        precondition(
            configuration.slice.map { $0 > .zero } ?? true, "a slice is longer than zero")
        self.configuration = configuration
        self.loop = loop
        self.keys = keys
        self.releasesKeys = releasesKeys
        deferral = ConfinedBox(configuration.maxDeferral.map { Deferral(limit: $0) })
        slice = configuration.slice?.wholeNanoseconds
        isBatched = configuration.batch > .zero
        batch = isBatched ? configuration.batch.wholeNanoseconds : 50_000
        jobs = ConfinedBox(JobTable())
        super.init(weight: configuration.weight)
    }

    /// Starts accepting jobs, on a loop where the queue works before idle from now on.
    func open(as name: String, leave: @escaping () -> Void) {
        configuration.name = name
        self.leave = leave
        isAccepting = true
    }

    deinit {
        close()
    }

    // MARK: - State

    private var isOpen: Bool { leave != nil }

    /// Whether a run is in progress, including the callbacks at its end.
    var isInsideRun: Bool { current.value.isInProgress }

    /// The queue's statistics.
    var statistics: QueueStatistics {
        var statistics = counts.value
        statistics.waiting = jobs.value.count
        statistics.running = jobs.value.running == nil ? 0 : 1
        statistics.heldBack = fitting.value.heldBackCount
        return statistics
    }

    override var queueStatistics: (name: String, counts: QueueStatistics)? {
        (configuration.name, statistics)
    }

    /// The number of waiting jobs.
    var count: Int { jobs.value.count }

    /// Returns the expected cost of a job of this kind; nil before one has run.
    func expectedCost(of kind: JobKind) -> Duration? { fitting.value.expectedCost(of: kind) }

    func hasRoom(for priority: Priority) -> Bool {
        isAccepting && jobs.value.hasRoom(for: priority, limit: configuration.limit)
    }

    @usableFromInline
    func priority(at slot: Int) -> Priority { jobs.value[slot].priority }

    @usableFromInline
    func isRunning(_ slot: Int) -> Bool { jobs.value.running == slot }

    /// Returns the slot of the job with this hash that satisfies `fits`.
    @usableFromInline
    func slot(of hash: UInt32, where fits: (Int) -> Bool) -> Int? {
        loop.checkThread()
        return jobs.value.index.slot(of: hash, where: fits)
    }

    /// The slots of all jobs, including the running one.
    var slots: [Int] { jobs.value.waiting + (jobs.value.running.map { [$0] } ?? []) }

    /// The identifiers of all jobs, including the running one.
    var ids: [JobTable.ID] { slots.map { jobs.value.id(at: $0) } }

    func contains(_ id: JobTable.ID) -> Bool { jobs.value.contains(id) }

    /// Returns whether a slot holds the job of this number, or that job follows the one in the
    /// slot.
    func has(_ number: UInt64, at slot: Int) -> Bool {
        guard let job = jobs.value.job(at: slot) else { return false }
        return job.order.sequence == number
            || slot == jobs.value.running && current.value.followerNumber == number
    }

    /// Returns the time at which a worker began the part of a job that runs off the loop; nil if
    /// none has, or if the loop has taken its outcome.
    @usableFromInline
    func workStart(at slot: Int) -> Instant? { jobs.value.pendingWork(of: slot)?.start }

    // MARK: - Submitting

    /// The result of admission.
    @usableFromInline
    enum Admission {
        /// The job has a slot; next it needs its key, and a call of `begin`.
        case waits(slot: Int)
        /// The job was not accepted.
        case ended(IdleJob.Place)
    }

    /// Returns a given cost in nanoseconds, from zero to the greatest.
    private static func cost(_ cost: Duration) -> Int64 {
        min(max(0, cost.wholeNanoseconds), greatestCost)
    }

    /// Creates a job from the arguments of a submission.
    @usableFromInline
    func job(
        hash: UInt32, priority: Priority, rank: Int, cost: Duration?, kind: JobKind?,
        timeout: Duration?, onEnd: consuming ((JobEnd) -> Void)?,
        body: consuming Job.Body? = nil, offLoopWork: consuming OffLoopWork? = nil
    ) -> DetachedJob {
        sequence &+= 1
        // Reading the clock takes a tenth of the time of everything else that a tiny job costs.
        let now = isInsideRun && timeout == nil ? current.value.start : loop.clock.now
        var job = Job(
            hash: hash,
            order: WorkOrder(priority: priority, rank: rank, sequence: sequence),
            submitted: now)
        job.hint = cost.map(Self.cost)
        if let kind { job.kind = Int32(fitting.value.number(of: kind)) }
        if let timeout { job.expiry = now.advanced(by: max(.zero, timeout)) }
        if offLoopWork != nil { job.awaited = .offLoopWork }
        return DetachedJob(
            job: job, parts: JobParts(body: body, onEnd: onEnd, offLoopWork: offLoopWork))
    }

    /// Assigns a slot to a job whose key isn't in the queue.
    @usableFromInline
    func admit(_ detached: consuming DetachedJob) -> Admission {
        guard isAccepting else { return .ended(drop(detached, .closed)) }
        counts.value.accepted += 1
        return .waits(slot: jobs.value.insert(detached))
    }

    @inline(never)
    private func drop(
        _ detached: consuming DetachedJob, _ reason: JobEnd.DropReason
    ) -> IdleJob.Place {
        counts.value.accepted += 1
        counts.value.dropped += 1
        detached.parts.reportEnd(.dropped(reason))
        return IdleJob.Place(submission: .dropped)
    }

    /// Lets an accepted job wait, and drops the jobs that exceed the limit, which may include this
    /// one.
    @usableFromInline
    @discardableResult
    func begin(_ slot: Int) -> IdleJob.Place {
        let number = jobs.value[slot].order.sequence
        if isTooFull || !jobs.value[slot].isReady {
            let id = jobs.value.id(at: slot)
            makeRoom(starting: id)
            guard jobs.value.contains(id) else { return IdleJob.Place(submission: .dropped) }
        }
        counts.value.longest = max(counts.value.longest, jobs.value.count)
        prepareLull()
        return IdleJob.Place(submission: .queued, slot: slot, numbers: (number, number))
    }

    /// Joins a request to the waiting job of its key.
    @usableFromInline
    func join(_ slot: Int, _ job: consuming DetachedJob) -> IdleJob.Place {
        guard isAccepting else { return drop(job, .closed) }
        let number = jobs.value[slot].order.sequence
        let joined = IdleJob.Place(submission: .joined, slot: slot, numbers: (number, number))
        counts.value.joined += 1
        jobs.value.join(slot, job)
        reorderOffLoopWork(slot)
        armExpiry()
        return joined
    }

    /// Lets a request wait for the end of the current run of its key's job.
    @usableFromInline
    func follow(_ slot: Int, _ job: consuming DetachedJob) -> IdleJob.Place {
        guard isAccepting else { return drop(job, .closed) }
        let running = jobs.value[slot].order.sequence
        let number = current.value.followerNumber ?? job.job.order.sequence
        let submission = current.value.follow(job)
        if case .joined = submission { counts.value.joined += 1 }
        return IdleJob.Place(submission: submission, slot: slot, numbers: (number, running))
    }

    /// Whether more jobs wait than the limit.
    private var isTooFull: Bool { jobs.value.count > configuration.limit }

    /// Drops the least urgent job if there is one too many, and then starts the work off the loop of a
    /// new one.
    ///
    /// The job leaves the queue before any callback is called, since callbacks may submit more.
    private func makeRoom(starting id: JobTable.ID? = nil) {
        guard isTooFull, let next = jobs.value.nextToDrop else {
            if let id { startOffLoopWork(id.index) }
            return
        }
        let dropped = remove(next, as: .dropped(.full))
        if jobs.value.running == nil { disarm() }
        dropped.cancelWork()
        if let id, jobs.value.contains(id) { startOffLoopWork(id.index) }
        dropped.reportEnd(.dropped(.full))
    }

    /// Requests lulls and arms the timers for the waiting jobs.
    private func prepareLull() {
        armExpiry()
        armDeferral()
        loop.wantIdle()
    }

    // MARK: - Changing and cancelling

    @usableFromInline
    func reprioritize(_ slot: Int, priority: Priority, rank: Int) {
        let order = WorkOrder(
            priority: priority, rank: rank, sequence: jobs.value[slot].order.sequence)
        guard order != jobs.value[slot].order else { return }
        jobs.value.update(slot) { $0.order = order }
        reorderOffLoopWork(slot)
    }

    /// Cancels a job; returns false if it's running and was cancelled before.
    @usableFromInline
    func cancel(_ slot: Int) -> Bool {
        guard slot == jobs.value.running else {
            end(slot, .cancelled)
            return true
        }
        guard current.value.isCancellable else { return false }
        cancelRunning()?.reportEnd(.cancelled)
        return true
    }

    func cancelAll() {
        cancel(ids)
    }

    /// Cancels jobs, the oldest first, and returns their number; jobs that their callbacks submit
    /// are kept.
    ///
    /// All of them leave the queue before any callback is called or any work is cancelled.
    @discardableResult
    func cancel(_ ids: [JobTable.ID]) -> Int {
        let running = jobs.value.running.map { jobs.value.id(at: $0) }
        let all = jobs.value.oldestFirst(ids.filter { jobs.value.contains($0) && $0 != running })
        var count = 0
        var follower: JobParts?
        if let running, ids.contains(running) {
            if current.value.isCancellable { count += 1 }
            follower = cancelRunning()
        }
        // Checked again: a key that is released may call back.
        var parts = Buffer<JobParts>()
        for id in all where jobs.value.contains(id) {
            parts.append(remove(id.index, as: .cancelled))
        }
        count += parts.count
        if jobs.value.running == nil { disarm() }
        for index in 0..<parts.count { parts[index].cancelWork() }
        for index in 0..<parts.count { parts[index].reportEnd(.cancelled) }
        follower?.reportEnd(.cancelled)
        if count > 0 { loop.wantIdle() }  // for callers that wait for room
        return count
    }

    /// Cancels further slices of the running job; returns the request that waited for its end,
    /// which is counted as accepted and cancelled.
    private func cancelRunning() -> JobParts? {
        guard let follower = current.value.cancel() else { return nil }
        counts.value.accepted += 1
        counts.value.cancelled += 1
        return follower.parts
    }

    /// Removes a job from the table, cancels its work off the loop, and calls back.
    private func end(_ slot: Int, _ end: JobEnd) {
        let parts = remove(slot, as: end)
        if jobs.value.running == nil { disarm() }
        parts.cancelWork()
        parts.reportEnd(end)
        loop.wantIdle()  // for callers that wait for room
    }

    /// Removes a job from the table, and counts its end.
    private func remove(_ slot: Int, as end: JobEnd) -> JobParts {
        let parts = jobs.value.remove(slot)
        counts.value.count(end)  // before any release or call, so that the counts always agree
        if releasesKeys { keys.release(slot) }
        return parts
    }

    /// Calls `body` at the end of a job, after all other callbacks.
    func whenEnded(_ slot: Int, _ body: @escaping (JobEnd) -> Void) {
        jobs.value.whenEnded(slot, body)
    }

    // MARK: - Work off the loop

    /// Gives a job's work off the loop the same order in its pool as the job has here.
    private func reorderOffLoopWork(_ slot: Int) {
        jobs.value.pendingWork(of: slot)?.reorder(jobs.value[slot].order)
    }

    /// Starts the part of a job that runs off the loop, if it has one that isn't done.
    private func startOffLoopWork(_ slot: Int) {
        guard let work = jobs.value.pendingWork(of: slot) else { return }
        let id = jobs.value.id(at: slot)
        work.process = { [weak self] body in self?.process(id, body) }
        work.start(jobs.value[slot].order) { [weak self] result in self?.resume(id, with: result) }
    }

    /// Lets a job run in lulls while its work off the loop goes on, until `body` says that it's done
    /// with what there is.
    private func process(_ id: JobTable.ID, _ body: @escaping Job.Body) {
        guard jobs.value.contains(id), jobs.value.pendingWork(of: id.index) != nil else { return }
        jobs.value.process(id.index, body)
        prepareLull()
    }

    /// Handles the outcome of work off the loop: the rest of the job may run in a lull.
    private func resume(_ id: JobTable.ID, with result: WorkerOutcome) {
        let work = jobs.value.pendingWork(of: id.index)
        // A `deinit` of what it captures may call back.
        defer { withExtendedLifetime(work) {} }
        work?.hasEnded()
        switch result {
        case .success(let output):
            guard let body = work?.then(output) else {
                preconditionFailure("work gives its own type")
            }
            guard jobs.value.contains(id) else { return }  // `then` may have cancelled the job
            jobs.value.arrive(id.index, body)
            prepareLull()
        case .failure(let error):
            end(id.index, .failed(error))
        }
    }

    /// Lets a job that has returned `waiting`, or is about to, wait for a lull again.
    @usableFromInline
    func resume(_ slot: Int) {
        if slot == jobs.value.running { return current.value.resume() }
        guard jobs.value[slot].awaited == .resumption else { return }
        let now = loop.clock.now
        jobs.value.update(slot) { job in
            job.awaited = .lull
            job.wait(from: now)
        }
        prepareLull()
    }

    // MARK: - Running

    /// Runs jobs in a lull, for the duration of a batch.
    override func work() -> IdleResult {
        guard jobs.value.next != nil else {
            disarm()
            return .nothing
        }
        var now = loop.lullStart
        let end = now.later(by: batch)
        deferral.value?.noteLull(at: now)
        var result = IdleResult.nothing
        let begun = now
        let newest = sequence
        while loop.mayWork, isInMode, let next = choose(at: now) {
            let outcome = run(
                next, from: now, batchEnd: isBatched ? end : .zero, didTimeout: false)
            now = outcome.end
            if !outcome.wasSkipped { result = .worked }
            // Where time stands still, jobs that submit others would never end.
            if now == begun, let next = jobs.value.next, jobs.value[next].order.sequence > newest {
                result = .worked
                break
            }
            if now >= end || now >= loop.nextDue || !isBatched {
                if outcome.wasSkipped, !isBatched, now < end { continue }
                result = .worked
                break
            }
        }
        loop.lull.fresh = now
        if deferral.value?.isExtended == true, result == .worked, jobs.value.next != nil {
            armDeferral()
        }
        endRun()
        return result
    }

    /// Returns the job to run at `now`; nil if none fits into the rest of the lull.
    private func choose(at now: Instant) -> Int? {
        guard jobs.value.next != nil else { return nil }
        if loop.hostFrame < now { loop.hostFrame = .distantFuture }
        let limit = loop.latestStart
        let choice = fitting.value.choose(
            from: &jobs.value, before: limit, inLull: loop.lull.number, at: now)
        if choice == nil { waitForFrame(until: limit) }
        return choice
    }

    /// Arms a timer to retry when a frame of the host's doesn't come, so that the loop doesn't sleep
    /// while a job is held back for it.
    private func waitForFrame(until limit: Instant) {
        guard loop.isSetByFrame(limit), retryTimer == nil else { return }
        retryTimer = loop.schedule(at: limit.later(by: 1)) { [weak self] in
            self?.retryTimer = nil
            self?.loop.wantIdle()
        }
    }

    /// Runs a job, or a slice of it; returns when it ended, and whether it was stale and cost
    /// nothing.
    ///
    /// A tiny slice of a job that returns `again` may be followed by more slices until `batchEnd`:
    /// the caller would choose the same job, as nothing else has happened.
    private func run(
        _ slot: Int, from start: Instant, batchEnd: Instant = .zero, didTimeout: Bool
    ) -> (end: Instant, wasSkipped: Bool) {
        current.value.begin(at: start)
        let body = jobs.value.start(slot)
        if !jobs.value[slot].hasBegun {
            let wait = start.since(jobs.value[slot].waitStart)
            if wait > counts.value.longestDelay { counts.value.longestDelay = wait }
        }
        let isPart = jobs.value[slot].awaited == .part
        if isPart { jobs.value[slot].awaited = .offLoopWork }
        let limit = loop.latestStart
        let due = min(batchEnd, loop.nextDue)
        let lull = IdleSlot(
            on: loop, sliceEnd: sliceEnd(from: start, didTimeout: didTimeout),
            didTimeout: didTimeout)
        var now = start
        var outcome: Result<JobProgress, any Error>
        repeat {
            let begun = now
            do {
                outcome = .success(try body(lull))
            } catch {
                outcome = .failure(error)
            }
            current.value.endSlice(waits: outcome.saysWaiting && !isPart)
            now = loop.clock.now
            counts.value.slices += 1
            let cost = now.since(begun)
            counts.value.totalRun += cost
            if cost > counts.value.longestRun { counts.value.longestRun = cost }
            if jobs.value[slot].isWhole { learn(cost, of: slot, outcome) }
        } while now < due && outcome.saysAgain && loop.mayWork && goesOn
            && jobs.value.next == slot && loop.nextDue >= due && limit == .distantFuture
        if now > limit { counts.value.overruns += 1 }
        if isPart, case .success(let progress) = outcome {
            // Its work off the loop may have more for it, or has ended meanwhile.
            if case .again = progress, jobs.value[slot].awaited == .offLoopWork {
                jobs.value[slot].awaited = .part
            }
            outcome = .success(.again)
        }
        if outcome.saysAgain, goesOn {
            putBack(slot, at: now)
            return (now, false)
        }
        return (now, finish(slot, outcome, at: now))
    }

    /// Lets the job that ran wait for its next slice.
    private func putBack(_ slot: Int, at now: Instant) {
        jobs.value.putBack(slot, at: now)
        if jobs.value[slot].expiry < .distantFuture { armExpiry() }
    }

    private func learn(_ cost: Int64, of slot: Int, _ outcome: Result<JobProgress, any Error>) {
        if case .success(.skipped) = outcome { return }
        fitting.value.learn(cost, of: jobs.value[slot])
    }

    /// Whether a job that returned `again` can continue without other changes to the queue.
    private var goesOn: Bool {
        current.value.goesOn && isOpen && jobs.value.count < configuration.limit
    }

    private func sliceEnd(from start: Instant, didTimeout: Bool) -> Instant {
        guard let slice else { return .distantFuture }
        let end = start.later(by: slice)
        guard configuration.endsSlicesWhenDue, !didTimeout else { return end }
        // A frame that is late may still come or not: work goes on, with a poll after each slice.
        let due = loop.nextDue
        return due > start ? min(end, due) : end
    }

    /// Removes a job that has ended, or puts it back for its next slice; returns true if it was
    /// stale.
    private func finish(
        _ slot: Int, _ outcome: Result<JobProgress, any Error>, at now: Instant
    ) -> Bool {
        let calls = current.value.endRun()
        if outcome.saysAgain, !calls.isCancelled, isOpen {
            if calls.isSuspended { jobs.value[slot].awaited = .resumption }
            putBack(slot, at: now)
            if let follower = current.value.takeFollower() {
                counts.value.joined += 1
                jobs.value.join(slot, follower)
                armExpiry()
            }
            makeRoom()
            return false
        }
        let end: JobEnd =
            switch outcome {
            case .success(.again), .success(.waiting): .cancelled
            case .success(.done): .done
            case .success(.skipped): .skipped
            case .failure(let error): .failed(error)
            }
        let parts =
            if let follower = current.value.takeFollower() {
                replace(slot, as: end, by: follower)
            } else {
                remove(slot, as: end)
            }
        parts.cancelWork()
        parts.reportEnd(end)
        if case .skipped = end { return true }
        return false
    }

    /// Replaces a job that has ended by the request that waited for its end; returns the old job's
    /// closures.
    ///
    /// The old job's end is counted, but nothing is called yet: its callbacks may submit the key
    /// again.
    private func replace(
        _ slot: Int, as end: JobEnd, by follower: consuming DetachedJob
    ) -> JobParts {
        counts.value.accepted += 1
        guard isAccepting else {
            counts.value.count(.cancelled)
            let parts = remove(slot, as: end)
            follower.parts.reportEnd(.cancelled)
            return parts
        }
        counts.value.count(end)
        let parts = jobs.value.replace(slot, with: follower)
        begin(slot)
        return parts
    }

    /// Ends a run after all callbacks; must be the last access, since the queue may be deallocated.
    @inline(__always)
    private func endRun() {
        current.value.end()
        if hasWaited { armTimers() }
        if selfRetain != nil { leaveAfterRun() }
    }

    @inline(never)
    private func leaveAfterRun() {
        leaving.take()?()
        selfRetain = nil
    }

    /// Whether the loop is in a mode in which jobs run.
    private var isInMode: Bool { configuration.modes.contains(loop.status.mode) }

    // MARK: - Jobs that don't wait for a lull

    /// Arms a timer for the earliest time at which a job runs regardless of other work.
    private func armExpiry() {
        guard let next = jobs.value.nextExpiry?.moment else { return }
        if let armed = expiryTimer {
            guard next != armed.moment else { return }
            loop.cancel(armed.id)
        }
        let id = loop.schedule(at: next) { [weak self] in self?.expire() }
        expiryTimer = (id, next)
    }

    /// Cancels the timers that have no job any more.
    private func disarm() {
        if let armed = expiryTimer, jobs.value.nextExpiry?.moment != armed.moment {
            loop.cancel(armed.id)
            expiryTimer = nil
            if isOpen { armExpiry() }
        }
        guard jobs.value.next == nil else { return }
        for timer in [deferralTimer, retryTimer] {
            if let timer { loop.cancel(timer) }
        }
        deferralTimer = nil
        retryTimer = nil
    }

    /// Runs one job that has waited past its timeout; the loop polls before the next.
    private func expire() {
        expiryTimer = nil
        guard jobs.value.running == nil else { return waitForRun() }
        let now = loop.clock.now
        if let next = jobs.value.nextExpiry, next.moment <= now {
            counts.value.timedOut += 1
            loop.lull.start = now
            let id = jobs.value.id(at: next.slot)
            _ = run(next.slot, from: now, didTimeout: true)
            // Its next slices don't wait for a lull either.
            if jobs.value.contains(id) { jobs.value.update(id.index) { $0.expiry = now } }
        }
        if isOpen { armExpiry() }
        endRun()
    }

    /// Lets what is due inside a job, which runs the host's loop, wait for the end of its run.
    private func waitForRun() { hasWaited = true }

    /// Arms the timers for what was due inside the run that has ended.
    private func armTimers() {
        hasWaited = false
        guard isOpen else { return }
        armExpiry()
        if jobs.value.next != nil { armDeferral() }
    }

    /// Arms a timer for the end of the time for which jobs may be deferred.
    private func armDeferral() {
        guard deferral.value != nil, isInMode else { return }
        if let timer = deferralTimer {
            guard deferral.value?.isExtended == true else { return }
            loop.cancel(timer)
        }
        scheduleDeferral(
            at: deferral.value?.restart(at: loop.clock.now, slices: counts.value.slices))
    }

    private func scheduleDeferral(at moment: Instant?) {
        deferralTimer = moment.map { moment in
            loop.schedule(at: moment) { [weak self] in self?.endDeferral() }
        }
    }

    /// Runs deferred jobs if the loop hasn't been idle for `maxDeferral`, and again in the next
    /// pass, until it is idle.
    private func endDeferral() {
        guard let next = jobs.value.next, isInMode else {
            deferralTimer = nil
            return
        }
        guard jobs.value.running == nil else {
            deferralTimer = nil
            return waitForRun()
        }
        let now = loop.clock.now
        var check = deferral.value?.check(
            at: now, lastWake: loop.lastWake, slices: counts.value.slices)
        if check == nil {
            loop.lull.start = now
            let end = runDeferred(next, from: now)
            deferral.value?.noteRun(until: end, slices: counts.value.slices)
            check = end
            endRun()
        }
        // Only now, so that a job that submits another doesn't defer the queue again.
        deferralTimer = nil
        if isOpen, jobs.value.next != nil { scheduleDeferral(at: check) }
    }

    /// Runs a deferred job, and others after it for a while; returns the time at which they ended.
    ///
    /// Only one runs if batches are disabled, or where time stands still, as jobs that submit
    /// others would never end.
    private func runDeferred(_ first: Int, from start: Instant) -> Instant {
        let end = isBatched ? deferral.value?.runEnd(from: start, batch: batch) ?? start : start
        var now = start
        var next: Int? = first
        while let slot = next {
            counts.value.timedOut += 1
            now = run(slot, from: now, didTimeout: false).end
            let mayGoOn = now > start && now < end && loop.mayWork && isOpen
            next = mayGoOn && isInMode ? jobs.value.next : nil
        }
        return now
    }

    /// Restarts the deferral when the loop's mode has changed: jobs that were resting may be
    /// deferred only for that time again.
    override func modeChanged() {
        if jobs.value.next != nil { armDeferral() }
    }

    // MARK: - The end

    /// Keeps keys with their slots from now on, since no slot will be used again.
    func keepKeys() {
        releasesKeys = false
    }

    override func cancel() { close() }

    func close() {
        guard let leave else { return }
        if isInsideRun || jobs.value.running != nil { selfRetain = self }
        isAccepting = false  // first, so that jobs that callbacks submit are dropped
        self.leave = nil
        cancelAll()
        // A queue with a running job stays, to count that job.
        if selfRetain == nil { leave() } else { leaving = leave }
        for timer in [expiryTimer?.id, deferralTimer, retryTimer] {
            if let timer { loop.cancel(timer) }
        }
    }

    /// Accepts no more jobs, runs the present ones for `time`, and cancels the rest.
    func shutDown(within time: Duration, then completion: @escaping (QueueShutdown) -> Void) {
        isAccepting = false
        keepKeys()
        let shutdown = self.shutdown ?? QueueShutdown(of: self)
        self.shutdown = shutdown
        shutdown.begin(
            within: isOpen && !loop.isClosed ? max(.zero, time) : .zero, then: completion)
    }

    /// Ends the shutdown after all callbacks.
    func shutDownEnded() {
        shutdown = nil
        keys.releaseAll()
    }

    func checkInvariants() {
        precondition(!isTooFull, "a queue never exceeds its bound")
        precondition(statistics.isConserved, "every accepted job ends exactly once")
        jobs.value.checkInvariants()
    }
}

/// The keys of a queue's jobs, by slot.
protocol JobKeys: AnyObject {
    /// Releases the key of a slot whose job has ended.
    func release(_ slot: Int)
    /// Releases all keys, when there are no jobs any more.
    func releaseAll()
    /// The present keys' descriptions by slot.
    var descriptions: (Int) -> String { get }
}

extension Result<JobProgress, any Error> {
    fileprivate var saysWaiting: Bool {
        if case .success(.waiting) = self { return true }
        return false
    }

    fileprivate var saysAgain: Bool {
        switch self {
        case .success(.again), .success(.waiting): true
        case .success(.done), .success(.skipped), .failure: false
        }
    }
}
