/// A lull as a task sees it.
///
/// What ``MainLoop/idle()`` gives, and a job that is a task is called with. It's good until the task
/// next waits for something else; after that, and when the lull is over, it says so, until
/// ``checkpoint()`` has given it the next one.
public final class TaskSlot {
    let gate: Gate
    private let tasks: LoopTasks
    private let isOfJob: Bool
    private var isCurrent = false
    /// Whether its task waits for the next lull.
    private(set) var isWaiting = false
    /// When the slice ends that has begun.
    package private(set) var sliceEnd = Instant.zero
    /// When the lull ends: the earliest timer or frame, at most 50 ms after its start.
    package private(set) var deadline = Instant.zero
    /// Whether the job runs because it has waited past its timeout, whatever else is due.
    public private(set) var didTimeout = false

    init(of tasks: LoopTasks, ofJob isOfJob: Bool = false) {
        self.tasks = tasks
        self.isOfJob = isOfJob
        gate = Gate(to: tasks.executor)
    }

    /// The present moment.
    package var now: Instant {
        precondition(
            tasks.loop.isClosed || tasks.loop.isOnOwnThread, "a slot is used on its loop's thread")
        return tasks.loop.clock.now
    }

    /// What is left of the lull; zero if it isn't one any more.
    public var timeRemaining: Duration {
        let now = now
        return isCurrent && !didTimeout ? max(.zero, now.duration(to: deadline)) : .zero
    }

    /// Whether a slice of work should end now.
    public var isOver: Bool {
        let now = now
        return !isCurrent || now >= sliceEnd
    }

    /// Returns at once while the slice lasts, else in the next one: where a long piece of work lets
    /// others have their turn.
    ///
    /// Throws when the task is cancelled, as it is when its job is.
    public func checkpoint() async throws(CancellationError) {
        guard isOver else { return }
        if !Task.isCancelled { await wait() }
        if Task.isCancelled { throw CancellationError() }
    }

    /// Waits for the next lull, or until the task is cancelled; one task at a time.
    func wait() async {
        guard !isWaiting, isOfJob || !tasks.loop.isClosed else { return await yield() }
        gate.shut()
        isWaiting = true
        defer { isWaiting = false }
        guard !isOfJob else { return await gate.pass() }  // its queue comes for it
        let place = tasks.add(self)
        await gate.passUnlessCancelled(from: #isolation)
        tasks.remove(place)
    }

    /// Has others go on first: as `Task.yield`, which would leave the loop for the global pool.
    private func yield() async {
        let gate = Gate(to: tasks.executor)
        gate.open()
        await gate.pass()
    }

    // MARK: - For those who give lulls

    /// Has the task that waits here go on for a slice; false if none does any more.
    func run(in lull: borrowing IdleSlot) -> Bool {
        guard let job = gate.take() else { return false }
        if let waiting = tasks.jobs[job.name] {  // its queue has a lull for it
            waiting.goesOn(with: job)
            return false
        }
        begin(lull, until: min(lull.deadline, lull.now.advanced(by: .milliseconds(2))))
        tasks.run(job)
        end()
        return true
    }

    func begin(_ lull: borrowing IdleSlot, until sliceEnd: Instant) {
        isCurrent = true
        self.sliceEnd = sliceEnd
        deadline = lull.deadline
        didTimeout = lull.didTimeout
    }

    func end() {
        isCurrent = false
    }
}
