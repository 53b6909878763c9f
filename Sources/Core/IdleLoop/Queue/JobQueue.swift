internal import LullLibC

/// A queue on its loop, without the type of its keys: what is asked of its jobs, their runs, and the
/// one place that tells of their ends.
///
/// It isn't generic, so that its code is compiled once, for all keys. Jobs are identified by their
/// slots. Each call changes the machine, and then calls `complete`: callbacks may do anything, and
/// nothing is looked at after them. Times that are compared in each pass are in nanoseconds, since a
/// `Duration` has 128 bits.
@usableFromInline
final class JobQueue: IdleWorker {
    /// Its configuration, with a name of its own if it was given none.
    private(set) var configuration: QueueConfiguration
    let loop: LoopContext
    private let jobs: ConfinedBox<JobMachine>
    private let keys: any JobKeys
    /// The number of the job that was submitted last.
    private var sequence: UInt64 = 0
    /// Whether jobs are accepted: the queue is neither closed nor shutting down.
    private(set) var isAccepting = false
    private(set) var isOpen = false
    private var shutdown: QueueShutdown?

    let slice: Int64?
    /// The time for which jobs run before the next poll; it applies to stale jobs too, though they
    /// cost nothing.
    private let batch: Int64
    private let isBatched: Bool
    private let deferral: ConfinedBox<Deferral>
    /// The timer for the next moment at which the queue acts without a lull.
    private var timer: (id: TimerTable.ID, moment: Instant)?
    /// A reference to itself, if it was closed during a run of its job or a callback of that job's
    /// end: it leaves the loop afterwards, to count that job.
    private var selfRetain: JobQueue?
    /// The lanes on which jobs may run, once one was submitted that may run anywhere.
    var lanes: Lanes?
    var laneAccount: FairOrder.Account

    init(on loop: LoopContext, configuration: QueueConfiguration, keys: any JobKeys) {
        precondition(configuration.limit > 0, "an idle queue holds at least one job")
        precondition(
            configuration.slice.map { $0 > .zero } ?? true, "a slice is longer than zero")
        self.configuration = configuration
        self.loop = loop
        self.keys = keys
        jobs = ConfinedBox(JobMachine(limit: configuration.limit))
        deferral = ConfinedBox(Deferral(limit: configuration.maxDeferral))
        slice = configuration.slice?.wholeNanoseconds
        isBatched = configuration.batch > .zero
        batch = isBatched ? configuration.batch.wholeNanoseconds : 50_000
        laneAccount = FairOrder.Account(weight: configuration.weight)
        super.init(weight: configuration.weight)
    }

    /// Starts accepting jobs, on a loop where the queue works before idle from now on.
    func open(as name: String) {
        configuration.name = name
        isOpen = true
        isAccepting = true
    }

    // MARK: - State

    /// The jobs; a change to them is followed by a call of `complete`.
    var machine: JobMachine {
        @inline(__always) _read { yield jobs.value }
        @inline(__always) _modify { yield &jobs.value }
    }

    override var queueStatistics: (name: String, counts: QueueStatistics)? {
        (configuration.name, machine.statistics)
    }

    /// Returns the slot of the job with this hash that satisfies `fits`.
    @usableFromInline
    func slot(of hash: UInt32, where fits: (Int) -> Bool) -> Int? {
        loop.checkThread()
        return machine.table.index.slot(of: hash, where: fits)
    }

    // MARK: - The end of a change

    /// Completes a change: arms the timer, and tells who waits for the ends of jobs.
    ///
    /// All callbacks for ends are called from here. The work off the loop of all that has ended is
    /// cancelled first, then that of a new job begins in its turn, and then the callbacks are called,
    /// in the order of the ends. What they change in turn is told inside their own calls.
    ///
    /// It must be the last access, since the queue may be deallocated by a callback.
    private func complete(starting id: JobTable.ID? = nil) {
        rearm()
        fillLanes()
        guard machine.hasEnded else { return startOffLoopWork(id) }
        let ended = machine.takeEnded()
        keys.release(ended)
        for index in 0..<ended.count {
            ended[index].parts.offLoopWork?.cancel()
            if let run = ended[index].parts.laneRun { lanes?.cancel(run) }
        }
        startOffLoopWork(id)
        for index in 0..<ended.count { ended[index].report() }
    }

    /// Completes a change after which a job waits for a lull.
    func prepareLull(starting id: JobTable.ID? = nil) {
        loop.wantIdle()
        if deferral.value.held != nil { deferral.value.forgetHeld() }
        complete(starting: id)
    }

    /// Completes a change after which there may be room for a job.
    func makeRoom() {
        loop.wantIdle()
        complete()
    }

    // MARK: - Submitting

    /// Creates a job from the arguments of a submission.
    @usableFromInline
    func job(
        hash: UInt32, priority: Priority, rank: Int, cost: Duration? = nil,
        kind: WorkKind? = nil, timeout: Duration?, onEnd: consuming ((JobEnd) -> Void)?,
        body: consuming Job.Body? = nil, offLoopWork: consuming OffLoopWork? = nil
    ) -> DetachedJob {
        sequence &+= 1
        // Reading the clock takes a tenth of the time of everything else that a tiny job costs.
        let now = timeout == nil ? machine.runStart ?? loop.clock.now : loop.clock.now
        var job = Job(
            hash: hash, order: WorkOrder(priority: priority, rank: rank, sequence: sequence),
            submitted: now)
        job.kind = cost.map { JobMachine.kind(ofCost: $0) } ?? kind
        if let timeout { job.expiry = now.advanced(by: max(.zero, timeout)) }
        if offLoopWork != nil { job.awaited = .offLoopWork }
        return DetachedJob(
            job: job, parts: JobParts(body: body, onEnd: onEnd, offLoopWork: offLoopWork))
    }

    /// Submits a job whose key has its job in a slot; `insertKey` is called with a slot for a key that
    /// has none.
    @usableFromInline
    func submit(
        _ job: consuming DetachedJob, at slot: Int?, insertKey: (Int) -> Void
    ) -> IdleJob.Place {
        guard isAccepting else {
            machine.refuse(job)
            complete()
            return IdleJob.Place(submission: .dropped)
        }
        guard let slot else {
            let number = job.job.order.sequence
            let slot = machine.insert(job)
            insertKey(slot)
            let id = machine.table.id(at: slot)
            machine.makeRoom()
            prepareLull(starting: id)
            guard machine.table.contains(id) else { return IdleJob.Place(submission: .dropped) }
            return IdleJob.Place(submission: .queued, slot: slot, numbers: (number, number))
        }
        let number = machine.table[slot].order.sequence
        guard slot != machine.table.running else {
            let (submission, own) = machine.follow(job)
            return IdleJob.Place(submission: submission, slot: slot, numbers: (own, number))
        }
        machine.join(slot, job)
        reorderOffLoopWork(slot)
        reorderRun(slot)
        complete()
        return IdleJob.Place(submission: .joined, slot: slot, numbers: (number, number))
    }

    // MARK: - Changing and cancelling

    @usableFromInline
    func reprioritize(_ slot: Int, priority: Priority, rank: Int) {
        let old = machine.table[slot].order
        let order = WorkOrder(priority: priority, rank: rank, sequence: old.sequence)
        guard order != old else { return }
        machine.table.update(slot) { $0.order = order }
        reorderOffLoopWork(slot)
        reorderRun(slot)
    }

    /// Lets a job that has returned `waiting`, or is about to, wait for a lull again.
    @usableFromInline
    func resume(_ slot: Int) {
        if machine.resume(slot, at: loop.clock.now) { prepareLull() }
    }

    /// Cancels a job; returns false if it's running and was cancelled before.
    @usableFromInline
    func cancel(_ slot: Int) -> Bool {
        guard machine.cancel(slot) else { return false }
        makeRoom()
        return true
    }

    /// Cancels jobs, the oldest first, and returns their number; jobs that their callbacks submit
    /// are kept.
    @discardableResult
    func cancel(_ ids: [JobTable.ID]) -> Int {
        let count = machine.cancel(ids)
        if count > 0 { makeRoom() }
        return count
    }

    // MARK: - Running

    override var mayWork: Bool { machine.table.next != nil }

    /// Runs jobs in a lull, for the duration of a batch.
    override func work() -> IdleResult {
        guard machine.table.next != nil else {
            rearm()
            return .nothing
        }
        let begun = loop.lullStart
        let end = begun.later(by: batch)
        let newest = sequence
        deferral.value.noteLull(at: begun)
        var (now, result) = (begun, IdleResult.nothing)
        while loop.mayWork, isInMode, let next = choose(at: now) {
            let run = run(next, from: now, batchEnd: isBatched ? end : .zero)
            now = run.end
            var isOver = now >= end || now >= loop.nextDue || !isBatched && !run.wasSkipped
            // Where time stands still, jobs that submit others would never end.
            if now == begun, let next = machine.table.next {
                isOver = isOver || machine.table[next].order.sequence > newest
            }
            if isOver || !run.wasSkipped { result = .worked }
            if isOver { break }
        }
        loop.state.lull.fresh = now
        endRun()
        return result
    }

    /// Returns the job to run at `now`; nil if none fits into the rest of the lull.
    private func choose(at now: Instant) -> Int? {
        guard machine.table.next != nil else { return nil }
        if loop.state.hostFrame < now { loop.state.hostFrame = .distantFuture }
        let limit = loop.latestStart
        let choice = machine.choose(before: limit, at: now)
        if choice == nil { deferral.value.held = limit }
        return choice
    }

    /// Runs a job, or a slice of it; returns when it ended, and whether it was stale and cost
    /// nothing.
    ///
    /// A tiny slice of a job that returns `again` may be followed by more slices until `batchEnd`:
    /// the caller would choose the same job, as nothing else has happened.
    private func run(
        _ slot: Int, from start: Instant, batchEnd: Instant = .zero, didTimeout: Bool = false,
        isOverdue: Bool = false
    ) -> (end: Instant, wasSkipped: Bool) {
        let body = machine.start(slot, at: start, isOverdue: isOverdue)
        let limit = loop.latestStart
        let due = min(batchEnd, loop.nextDue)
        let lull = IdleSlot(
            on: loop, sliceEnd: sliceEnd(from: start, didTimeout: didTimeout),
            didTimeout: didTimeout)
        var now = start
        var progress: JobProgress
        var failure: (any Error)?
        repeat {
            let begun = now
            do {
                progress = try body(lull)
            } catch {
                (progress, failure) = (.done, error)
            }
            now = loop.clock.now
            machine.endSlice(of: slot, progress, cost: now.since(begun))
        } while now < due && progress.saysAgain && loop.mayWork && isOpen
            && machine.goesOn(slot) && loop.nextDue >= due && limit == .distantFuture
        let next = machine.endRun(
            of: slot, progress, failure, at: now, isLate: now > limit, isOpen: isOpen,
            isAccepting: isAccepting)
        if let next {
            prepareLull(starting: machine.table.id(at: next))
        } else if machine.hasEnded {
            complete()
        }
        return (now, progress == .skipped)
    }

    private func sliceEnd(from start: Instant, didTimeout: Bool) -> Instant {
        guard let slice else { return .distantFuture }
        let end = start.later(by: slice)
        guard configuration.endsSlicesWhenDue, !didTimeout else { return end }
        // A frame that is late may still come or not: work goes on, with a poll after each slice.
        let due = loop.nextDue
        return due > start ? min(end, due) : end
    }

    /// Ends a run after all callbacks; must be the last access, since the queue may be deallocated.
    @inline(__always)
    private func endRun() {
        machine.endCallbacks()
        rearm()
        fillLanes()
        guard selfRetain != nil else { return }
        super.cancel()
        selfRetain = nil
    }

    /// Whether the loop is in a mode in which jobs run.
    var isInMode: Bool { configuration.modes.contains(loop.state.mode) }

    // MARK: - Without a lull

    /// Arms the timer for the earliest moment at which the queue acts without a lull: a job's timeout,
    /// the end of the deferral, that of a frame of the host's that may not come, or the deadline of a
    /// shutdown.
    ///
    /// During a run it isn't armed: the end of the run does it.
    private func rearm() {
        guard isOpen, machine.table.running == nil else { return }
        let isWaiting = machine.table.next != nil
        if !isWaiting { deferral.value.held = nil }
        deferral.value.update(isWaiting: isWaiting && isInMode, on: loop)
        var moment = min(deferral.value.end, shutdown?.deadline ?? .distantFuture)
        if let expiry = machine.table.nextExpiry?.moment { moment = min(moment, expiry) }
        if let held = deferral.value.held, loop.isSetByFrame(held) {
            moment = min(moment, held.later(by: 1))
        }
        guard moment != timer?.moment ?? .distantFuture else { return }
        if let timer = timer.take() { loop.cancel(timer.id) }
        guard moment < .distantFuture else { return }
        timer = (loop.schedule(at: moment) { [weak self] in self?.act() }, moment)
    }

    /// Does what is due without a lull, one thing at a time, with a poll before the next.
    private func act() {
        timer = nil
        guard machine.table.running == nil else { return }
        let now = loop.clock.now
        if let shutdown, shutdown.deadline <= now {
            shutdown.deadline = .distantFuture  // not all ends may be told yet
            cancel(machine.table.ids)
        } else if let next = machine.table.nextExpiry, next.moment <= now {
            runExpired(next.slot, at: now)
        } else if deferral.value.end <= now {
            endDeferral(at: now)
        } else if let held = deferral.value.held, held < now {
            deferral.value.held = nil
            loop.wantIdle()
        }
        endRun()
    }

    /// Runs a job that has waited past its timeout.
    private func runExpired(_ slot: Int, at now: Instant) {
        if let run = machine.table.laneRun(of: slot) {
            // One that a lane has runs already.
            guard lanes?.withdraw(run) == true else { return machine.table.stopExpiry(of: slot) }
            machine.readmit(slot)
        }
        loop.state.lull.start = now
        let id = machine.table.id(at: slot)
        _ = run(slot, from: now, didTimeout: true, isOverdue: true)
        // Its next slices don't wait for a lull either.
        if machine.table.contains(id) { machine.table.update(slot) { $0.expiry = now } }
    }

    /// Runs deferred jobs for a while, if the loop hasn't been idle.
    ///
    /// Only one runs if batches are disabled, or where time stands still, as jobs that submit others
    /// would never end.
    private func endDeferral(at start: Instant) {
        guard isInMode, let first = machine.table.next,
            let end = deferral.value.runEnd(
                from: start, lastWake: loop.state.lastWake, batch: batch)
        else { return }
        loop.state.lull.start = start
        var now = start
        var next: Int? = first
        while let slot = next {
            now = run(slot, from: now, isOverdue: true).end
            let mayGoOn = isBatched && now > start && now < end && loop.mayWork && isOpen
            next = mayGoOn && isInMode ? machine.table.next : nil
        }
        deferral.value.noteRun(until: now)
    }

    override func modeChanged() {
        if !isInMode { lanes?.withdrawAll(of: self) }
        complete()
    }

    // MARK: - The end

    override func cancel() { close() }

    func close() {
        guard isOpen else { return }
        if machine.runStart != nil { selfRetain = self }
        isOpen = false
        isAccepting = false  // first, so that jobs that callbacks submit are dropped
        if let timer = timer.take() { loop.cancel(timer.id) }
        cancel(machine.table.ids)
        lanes?.remove(self)
        lanes = nil
        if selfRetain == nil { super.cancel() }
    }

    /// Accepts no more jobs, runs the present ones for `time`, and cancels the rest.
    func shutDown(within time: Duration, then completion: @escaping (QueueShutdown) -> Void) {
        isAccepting = false
        let shutdown = shutdown ?? beginShutdown()
        shutdown.completions.append(completion)
        let hasTime = time > .zero && isOpen && !loop.isClosed
        if shutdown.left == 0 {
            endShutdown()
        } else if hasTime {
            shutdown.deadline = min(shutdown.deadline, loop.clock.now.advanced(by: time))
            rearm()
        } else {
            cancel(machine.table.ids)
        }
    }

    private func beginShutdown() -> QueueShutdown {
        let ids = machine.table.ids
        let shutdown = QueueShutdown(configuration.name, keys: keys.snapshot, count: ids.count)
        for id in ids {
            machine.table.whenEnded(id.index) { [weak self] end in
                shutdown.note(id.index, end)
                if shutdown.left == 0 { self?.endShutdown() }
            }
        }
        self.shutdown = shutdown
        return shutdown
    }

    private func endShutdown() {
        guard let shutdown = shutdown.take() else { return }
        close()
        for completion in shutdown.completions { completion(shutdown) }
    }
}
