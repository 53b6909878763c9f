internal import LullLibC

/// The jobs of a queue as their owners see them, without the types of their keys: what is asked of
/// them, and the one place that tells of their ends.
///
/// It isn't generic, so that its code is compiled once, for all keys. Jobs are identified by their
/// slots. Each call changes the machine, and then calls `complete`: callbacks may do anything, and
/// nothing is looked at after them.
@usableFromInline
final class JobStore {
    let machine: ConfinedBox<JobMachine>
    let keys: any JobKeys
    private let loop: LoopContext
    /// Whether keys are released as their jobs end.
    private var releasesKeys: Bool
    /// The number of the job that was submitted last.
    private(set) var sequence: UInt64 = 0
    /// Whether jobs are accepted: the queue is neither closed nor shutting down.
    var isAccepting = false
    /// A call after each change, before anybody is told of it, that says whether a job waits for a lull
    /// from now on.
    var changed: ((_ hasNewJob: Bool) -> Void)?

    /// The maximum cost of a job, in nanoseconds: an hour is more than any lull has.
    private static let greatestCost: Int64 = 1 << 42

    init(on loop: LoopContext, limit: Int, keys: any JobKeys, releasesKeys: Bool) {
        self.loop = loop
        self.keys = keys
        self.releasesKeys = releasesKeys
        machine = ConfinedBox(JobMachine(limit: limit))
    }

    // MARK: - State

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
    ///
    /// It must be the last access, since the queue may be deallocated by a callback.
    func complete(starting id: JobTable.ID? = nil, hasNewJob: Bool = false) {
        changed?(hasNewJob)
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
    private func completeForLull(starting id: JobTable.ID? = nil, hasNewJob: Bool = false) {
        loop.wantIdle()
        complete(starting: id, hasNewJob: hasNewJob)
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
        let isInside = machine.value.run.isInProgress && timeout == nil
        let now = isInside ? machine.value.run.start : loop.clock.now
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
    func prepareLull(starting id: JobTable.ID? = nil) {
        completeForLull(starting: id, hasNewJob: true)
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

    // MARK: - Keys

    /// Keeps keys with their slots from now on, since no slot will be used again.
    func keepKeys() {
        releasesKeys = false
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
