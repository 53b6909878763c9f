internal import LullLibC

/// The scheduler of an idle queue's jobs, without the types of their keys.
///
/// It isn't generic, so that the code of each lull is compiled once, for all keys. Jobs are
/// identified by their slots. Times that are compared in each pass are in nanoseconds, since a
/// `Duration` has 128 bits. Each call changes the machine, and then calls `complete`, which tells of
/// the ends: callbacks may do anything, and nothing is looked at after them.
@usableFromInline
final class JobQueue: IdleWorker {
    /// Its configuration, with a name of its own if it was given none.
    private(set) var configuration: QueueConfiguration
    let loop: LoopContext
    let keys: any JobKeys
    /// Whether keys are released as their jobs end.
    private var releasesKeys: Bool

    private let machine: ConfinedBox<JobMachine>
    private let deferral: ConfinedBox<Deferral?>
    private var sequence: UInt64 = 0

    /// The maximum cost of a job, in nanoseconds: an hour is more than any lull has.
    private static let greatestCost: Int64 = 1 << 42
    private let slice: Int64?
    /// The time for which jobs run before the next poll; it applies to stale jobs too, though they
    /// cost nothing.
    private let batch: Int64
    private let isBatched: Bool

    /// The timer for the next moment at which the queue acts without a lull.
    private var timer: (id: TimerTable.ID, moment: Instant)?
    /// The end of a frame of the host's that may not come, for which a job is held back;
    /// `distantFuture` if none is.
    private var frameEnd = Instant.distantFuture

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
        machine = ConfinedBox(JobMachine(limit: configuration.limit))
        deferral = ConfinedBox(configuration.maxDeferral.map { Deferral(limit: $0) })
        slice = configuration.slice?.wholeNanoseconds
        isBatched = configuration.batch > .zero
        batch = isBatched ? configuration.batch.wholeNanoseconds : 50_000
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
    var isInsideRun: Bool { machine.value.run.isInProgress }

    /// The queue's statistics.
    var statistics: QueueStatistics { machine.value.statistics }

    override var queueStatistics: (name: String, counts: QueueStatistics)? {
        (configuration.name, statistics)
    }

    /// The number of waiting jobs.
    var count: Int { machine.value.table.count }

    func hasRoom(for priority: Priority) -> Bool {
        isAccepting && machine.value.hasRoom(for: priority)
    }

    @usableFromInline
    func priority(at slot: Int) -> Priority { machine.value.table[slot].priority }

    @usableFromInline
    func isRunning(_ slot: Int) -> Bool { machine.value.table.running == slot }

    /// Returns the slot of the job with this hash that satisfies `fits`.
    @usableFromInline
    func slot(of hash: UInt32, where fits: (Int) -> Bool) -> Int? {
        loop.checkThread()
        return machine.value.table.index.slot(of: hash, where: fits)
    }

    /// The slots of all jobs, including the running one.
    var slots: [Int] { machine.value.slots }

    /// The identifiers of all jobs, including the running one.
    var ids: [JobTable.ID] { slots.map { machine.value.table.id(at: $0) } }

    func contains(_ id: JobTable.ID) -> Bool { machine.value.table.contains(id) }

    /// Returns whether a slot holds the job of this number, or that job follows the one in the
    /// slot.
    func has(_ number: UInt64, at slot: Int) -> Bool { machine.value.has(number, at: slot) }

    /// Returns the time at which a worker began the part of a job that runs off the loop; nil if
    /// none has, or if the loop has taken its outcome.
    @usableFromInline
    func workStart(at slot: Int) -> Instant? { machine.value.table.pendingWork(of: slot)?.start }

    // MARK: - The end of a change

    /// Completes a change: arms the timer, and tells who waits for the ends of jobs.
    ///
    /// All callbacks for ends are called from here. The work off the loop of all that has ended is
    /// cancelled first, then that of a new job begins in its turn, and then the callbacks are called,
    /// in the order of the ends. What they change in turn is told inside their own calls.
    private func complete(starting id: JobTable.ID? = nil) {
        rearm()
        guard machine.value.hasEnded else {
            if let id { startOffLoopWork(id) }
            return
        }
        let ended = machine.value.takeEnded()
        if releasesKeys { keys.release(ended) }
        for index in 0..<ended.count { ended[index].cancelWork() }
        if let id { startOffLoopWork(id) }
        for index in 0..<ended.count { ended[index].report() }
    }

    /// Completes a change after which there may be something to do in a lull: a job, or, for who
    /// waits for it, room for one.
    private func completeForLull(starting id: JobTable.ID? = nil) {
        loop.wantIdle()
        complete(starting: id)
    }

    // MARK: - Submitting

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
        hash: UInt32, priority: Priority, rank: Int, cost: Duration?, kind: WorkKind?,
        timeout: Duration?, onEnd: consuming ((JobEnd) -> Void)?,
        body: consuming Job.Body? = nil, offLoopWork: consuming OffLoopWork? = nil
    ) -> DetachedJob {
        sequence &+= 1
        // Reading the clock takes a tenth of the time of everything else that a tiny job costs.
        let now = isInsideRun && timeout == nil ? machine.value.run.start : loop.clock.now
        var job = Job(
            hash: hash,
            order: WorkOrder(priority: priority, rank: rank, sequence: sequence),
            submitted: now)
        if let kind { job.cost = .kind(kind) }
        if let cost {
            job.cost = .given(Int(min(max(0, cost.wholeNanoseconds), Self.greatestCost)))
        }
        if let timeout { job.expiry = now.advanced(by: max(.zero, timeout)) }
        if offLoopWork != nil { job.awaited = .offLoopWork }
        return DetachedJob(
            job: job, parts: JobParts(body: body, onEnd: onEnd, offLoopWork: offLoopWork))
    }

    /// Assigns a slot to a job whose key isn't in the queue.
    @usableFromInline
    func admit(_ job: consuming DetachedJob) -> Admission {
        guard isAccepting else { return .ended(refuse(job)) }
        return .waits(slot: machine.value.insert(job))
    }

    @inline(never)
    private func refuse(_ job: consuming DetachedJob) -> IdleJob.Place {
        machine.value.refuse(job)
        complete()
        return IdleJob.Place(submission: .dropped)
    }

    /// Lets an accepted job wait, and drops a job if there is one too many, which may be this one.
    @usableFromInline
    @discardableResult
    func begin(_ slot: Int) -> IdleJob.Place {
        let number = machine.value.table[slot].order.sequence
        let id = machine.value.table.id(at: slot)
        machine.value.makeRoom()
        prepareLull(starting: id)
        guard contains(id) else { return IdleJob.Place(submission: .dropped) }
        return IdleJob.Place(submission: .queued, slot: slot, numbers: (number, number))
    }

    /// Joins a request to the waiting job of its key.
    @usableFromInline
    func join(_ slot: Int, _ job: consuming DetachedJob) -> IdleJob.Place {
        guard isAccepting else { return refuse(job) }
        let number = machine.value.table[slot].order.sequence
        machine.value.join(slot, job)
        reorderOffLoopWork(slot)
        complete()
        return IdleJob.Place(submission: .joined, slot: slot, numbers: (number, number))
    }

    /// Lets a request wait for the end of the current run of its key's job.
    @usableFromInline
    func follow(_ slot: Int, _ job: consuming DetachedJob) -> IdleJob.Place {
        guard isAccepting else { return refuse(job) }
        let running = machine.value.table[slot].order.sequence
        let (submission, number) = machine.value.follow(job)
        return IdleJob.Place(submission: submission, slot: slot, numbers: (number, running))
    }

    /// Completes a change after which a job waits for a lull.
    private func prepareLull(starting id: JobTable.ID? = nil) {
        if deferral.value?.isExtended == true { deferral.value?.stop() }
        completeForLull(starting: id)
    }

    // MARK: - Changing and cancelling

    @usableFromInline
    func reprioritize(_ slot: Int, priority: Priority, rank: Int) {
        let old = machine.value.table[slot].order
        let order = WorkOrder(priority: priority, rank: rank, sequence: old.sequence)
        guard order != old else { return }
        machine.value.update(slot) { $0.order = order }
        reorderOffLoopWork(slot)
    }

    /// Lets a job that has returned `waiting`, or is about to, wait for a lull again.
    @usableFromInline
    func resume(_ slot: Int) {
        if machine.value.resume(slot, at: loop.clock.now) { prepareLull() }
    }

    /// Cancels a job; returns false if it's running and was cancelled before.
    @usableFromInline
    func cancel(_ slot: Int) -> Bool {
        guard machine.value.cancel(slot) else { return false }
        completeForLull()
        return true
    }

    func cancelAll() {
        cancel(ids)
    }

    /// Cancels jobs, the oldest first, and returns their number; jobs that their callbacks submit
    /// are kept.
    @discardableResult
    func cancel(_ ids: [JobTable.ID]) -> Int {
        let count = machine.value.cancel(ids)
        if count > 0 { completeForLull() }
        return count
    }

    /// Calls `body` at the end of a job, after all other callbacks.
    func whenEnded(_ slot: Int, _ body: @escaping (JobEnd) -> Void) {
        machine.value.whenEnded(slot, body)
    }

    // MARK: - Work off the loop

    /// Gives a job's work off the loop the same order in its pool as the job has here.
    private func reorderOffLoopWork(_ slot: Int) {
        let order = machine.value.table[slot].order
        machine.value.table.pendingWork(of: slot)?.reorder(order)
    }

    /// Starts the part of a job that runs off the loop, if the job is here and has one.
    private func startOffLoopWork(_ id: JobTable.ID) {
        guard contains(id), let work = machine.value.table.pendingWork(of: id.index) else { return }
        work.process = { [weak self] body in self?.process(id, body) }
        let order = machine.value.table[id.index].order
        work.start(order) { [weak self] result in self?.resume(id, with: result) }
    }

    /// Lets a job run in lulls while its work off the loop goes on, until `body` says that it's done
    /// with what there is.
    private func process(_ id: JobTable.ID, _ body: @escaping Job.Body) {
        guard contains(id), machine.value.table.pendingWork(of: id.index) != nil else { return }
        machine.value.process(id.index, body)
        prepareLull()
    }

    /// Handles the outcome of work off the loop: the rest of the job may run in a lull.
    private func resume(_ id: JobTable.ID, with result: WorkerOutcome) {
        let work = machine.value.table.pendingWork(of: id.index)
        // A `deinit` of what it captures may call back.
        defer { withExtendedLifetime(work) {} }
        work?.hasEnded()
        switch result {
        case .success(let output):
            guard let body = work?.then(output) else {
                preconditionFailure("work gives its own type")
            }
            guard contains(id) else { return }  // `then` may have cancelled the job
            machine.value.arrive(id.index, body)
            prepareLull()
        case .failure(let error):
            machine.value.end(id.index, .failed(error))
            completeForLull()
        }
    }

    // MARK: - Running

    /// Runs jobs in a lull, for the duration of a batch.
    override func work() -> IdleResult {
        guard machine.value.table.next != nil else {
            rearm()
            return .nothing
        }
        var now = loop.lullStart
        let end = now.later(by: batch)
        deferral.value?.noteLull(at: now)
        var result = IdleResult.nothing
        let begun = now
        let newest = sequence
        while loop.mayWork, isInMode, let next = choose(at: now) {
            let outcome = run(next, from: now, batchEnd: isBatched ? end : .zero)
            now = outcome.end
            if !outcome.wasSkipped { result = .worked }
            // Where time stands still, jobs that submit others would never end.
            if now == begun, hasNext(after: newest) {
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
        if result == .worked, deferral.value?.isExtended == true { deferral.value?.stop() }
        endRun()
        return result
    }

    /// Whether the next job was submitted after the one of this number.
    private func hasNext(after newest: UInt64) -> Bool {
        machine.value.table.next.map { machine.value.table[$0].order.sequence > newest } ?? false
    }

    /// Returns the job to run at `now`; nil if none fits into the rest of the lull.
    private func choose(at now: Instant) -> Int? {
        guard machine.value.table.next != nil else { return nil }
        if loop.hostFrame < now { loop.hostFrame = .distantFuture }
        let limit = loop.latestStart
        let choice = machine.value.choose(before: limit, at: now)
        // A job is held back for a frame of the host's, which may not come.
        if choice == nil, loop.isSetByFrame(limit) { frameEnd = limit.later(by: 1) }
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
        let body = machine.value.start(slot, at: start, isOverdue: isOverdue)
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
            now = loop.clock.now
            machine.value.endSlice(outcome, cost: now.since(begun))
        } while now < due && outcome.saysAgain && loop.mayWork && isOpen
            && machine.value.goesOn(slot) && loop.nextDue >= due && limit == .distantFuture
        let next = machine.value.endRun(
            of: slot, outcome, at: now, isLate: now > limit, isOpen: isOpen,
            isAccepting: isAccepting)
        if let next {
            prepareLull(starting: machine.value.table.id(at: next))
        } else if machine.value.hasEnded {
            complete()
        }
        return (now, outcome.saysSkipped)
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
        machine.value.endCallbacks()
        rearm()
        if selfRetain != nil { leaveAfterRun() }
    }

    @inline(never)
    private func leaveAfterRun() {
        leaving.take()?()
        selfRetain = nil
    }

    /// Whether the loop is in a mode in which jobs run.
    private var isInMode: Bool { configuration.modes.contains(loop.status.mode) }

    // MARK: - Without a lull

    /// Arms the timer for the earliest moment at which the queue acts without a lull: a job's timeout,
    /// the end of the deferral, or that of a frame of the host's.
    ///
    /// During a run it isn't armed: the end of the run does it.
    private func rearm() {
        guard isOpen, machine.value.table.running == nil else { return }
        let hasNext = machine.value.table.next != nil
        if !hasNext { frameEnd = .distantFuture }
        if deferral.value != nil { updateDeferral(hasNext: hasNext) }
        let expiry = machine.value.table.nextExpiry?.moment ?? .distantFuture
        let moment = min(expiry, min(deferral.value?.next ?? .distantFuture, frameEnd))
        guard moment != timer?.moment ?? .distantFuture else { return }
        if let timer { loop.cancel(timer.id) }
        timer = nil
        guard moment < .distantFuture else { return }
        timer = (loop.schedule(at: moment) { [weak self] in self?.act() }, moment)
    }

    private func updateDeferral(hasNext: Bool) {
        guard hasNext, isInMode else { return deferral.value?.stop() ?? () }
        guard deferral.value?.next == nil else { return }
        deferral.value?.restart(at: loop.clock.now, slices: machine.value.slices)
    }

    /// Does what is due without a lull, one thing at a time, with a poll before the next.
    private func act() {
        timer = nil
        guard machine.value.table.running == nil else { return }
        let now = loop.clock.now
        if let next = machine.value.table.nextExpiry, next.moment <= now {
            runExpired(next.slot, at: now)
        } else if let check = deferral.value?.next, check <= now {
            endDeferral(at: now)
        } else if frameEnd <= now {
            frameEnd = .distantFuture
            loop.wantIdle()
        }
        endRun()
    }

    /// Runs a job that has waited past its timeout.
    private func runExpired(_ slot: Int, at now: Instant) {
        loop.lull.start = now
        let id = machine.value.table.id(at: slot)
        _ = run(slot, from: now, didTimeout: true, isOverdue: true)
        // Its next slices don't wait for a lull either.
        if contains(id) { machine.value.update(slot) { $0.expiry = now } }
    }

    /// Runs deferred jobs if the loop hasn't been idle for `maxDeferral`, and again in the next
    /// pass, until it is idle.
    ///
    /// After the first, others run for a while; only one runs if batches are disabled, or where time
    /// stands still, as jobs that submit others would never end.
    private func endDeferral(at start: Instant) {
        guard isInMode, let first = machine.value.table.next,
            deferral.value?.isOver(
                at: start, lastWake: loop.lastWake, slices: machine.value.slices) == true
        else { return }
        loop.lull.start = start
        let end = isBatched ? deferral.value?.runEnd(from: start, batch: batch) ?? start : start
        var now = start
        var next: Int? = first
        while let slot = next {
            now = run(slot, from: now, isOverdue: true).end
            let mayGoOn = now > start && now < end && loop.mayWork && isOpen
            next = mayGoOn && isInMode ? machine.value.table.next : nil
        }
        deferral.value?.noteRun(until: now, slices: machine.value.slices)
    }

    /// Begins the deferral anew when the loop's mode has changed: jobs that were resting may be
    /// deferred only for that time again.
    override func modeChanged() {
        rearm()
    }

    // MARK: - The end

    /// Keeps keys with their slots from now on, since no slot will be used again.
    func keepKeys() {
        releasesKeys = false
    }

    override func cancel() { close() }

    func close() {
        guard let leave else { return }
        if isInsideRun || machine.value.table.running != nil { selfRetain = self }
        isAccepting = false  // first, so that jobs that callbacks submit are dropped
        self.leave = nil
        if let timer { loop.cancel(timer.id) }
        timer = nil
        cancelAll()
        // A queue with a running job stays, to count that job.
        if selfRetain == nil { leave() } else { leaving = leave }
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
        machine.value.checkInvariants()
    }
}

/// The keys of a queue's jobs, by slot.
protocol JobKeys: AnyObject {
    /// Releases the keys of jobs that have ended.
    func release(_ ended: borrowing Buffer<EndedJob>)
    /// Releases all keys, when there are no jobs any more.
    func releaseAll()
    /// The present keys' descriptions by slot.
    var descriptions: (Int) -> String { get }
}
