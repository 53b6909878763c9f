internal import LullLibC

/// A lull in which a task may work.
///
/// It's returned by ``MainLoop/idle()``, and passed to a job that is a task. It's valid until the
/// task next waits for something else, or the lull is over; then `isOver` is true until
/// ``checkpoint()`` has waited for the next lull.
public final class TaskSlot {
    let gate: AsyncGate
    private let tasks: LoopTasks
    private let isOfJob: Bool
    private weak var job: AsyncJob?
    /// Whether the waiting task is isolated to the main actor.
    private var isOnMainActor = false
    private var isCurrent = false
    /// Whether its task waits for the next lull.
    private(set) var isWaiting = false
    /// The time at which the current slice ends.
    package private(set) var sliceEnd = Instant.zero
    /// The time at which the lull ends: the earliest timer or frame, at most 50 ms after its start.
    package private(set) var deadline = Instant.zero
    /// Whether the job runs because it has waited past its timeout, whatever else is due.
    public private(set) var didTimeout = false

    init(of tasks: LoopTasks, ofJob job: AsyncJob? = nil) {
        self.tasks = tasks
        self.job = job
        isOfJob = job != nil
        gate = AsyncGate(to: tasks.executor)
    }

    /// The current time.
    package var now: Instant {
        precondition(
            tasks.loop.isClosed || tasks.loop.isOnOwnThread, "a slot is used on its loop's thread")
        return tasks.loop.clock.now
    }

    /// The time left in the lull; zero if the slot is no longer valid.
    public var timeRemaining: Duration {
        let now = now
        return isCurrent && !didTimeout ? max(.zero, now.duration(to: deadline)) : .zero
    }

    /// Whether a slice of work should end now.
    public var isOver: Bool {
        let now = now
        return !isCurrent || now >= sliceEnd
    }

    /// Returns at once while the slice lasts, and otherwise waits for the next slice.
    ///
    /// Call it in long work, so that other work can run. Throws when the task is cancelled, which
    /// also happens when its job is.
    public func checkpoint() async throws(CancellationError) {
        guard isOver else { return }
        try await nextSlice()
    }

    /// Waits for the next slice.
    func nextSlice() async throws(CancellationError) {
        if !Task.isCancelled { await wait() }
        if Task.isCancelled { throw CancellationError() }
    }

    /// Waits for the next lull, or until the task is cancelled; one task at a time.
    func wait() async {
        guard !isWaiting, isOfJob || !tasks.loop.isClosed else { return await yield() }
        gate.shut()
        isWaiting = true
        defer { isWaiting = false }
        isOnMainActor = isMainActor(#isolation)
        guard !isOfJob else {
            job?.waitsForLull()
            return await gate.pass()  // resumed by its queue
        }
        let place = tasks.add(self)
        await gate.passUnlessCancelled(from: #isolation)
        tasks.remove(place)
    }

    /// Yields to other tasks, like `Task.yield`, which would leave the loop for the global pool.
    private func yield() async {
        let gate = AsyncGate(to: tasks.executor)
        gate.open()
        await gate.pass()
    }

    // MARK: - Used by those that grant lulls

    /// Resumes the waiting task for one slice; returns false if none waits any more.
    func run(in lull: borrowing IdleSlot) -> Bool {
        guard let job = gate.take() else { return false }
        if let waiting = tasks.jobs[job.name] {  // its queue grants it a lull
            waiting.goesOn(with: job)
            return false
        }
        begin(lull, until: min(lull.deadline, lull.now.advanced(by: .milliseconds(2))))
        run(job)
        end()
        return true
    }

    /// Resumes a job's waiting task, in the slice that has begun.
    func resume() {
        if let job = gate.take() { run(job) }
    }

    /// Runs a task that has waited here, at once where it's isolated: by way of another executor, it
    /// would continue after the slice.
    private func run(_ job: UnownedJob) {
        if isOnMainActor {
            tasks.runOnMainActor(job)
        } else {
            tasks.run(job)
        }
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

/// Returns whether an isolation is that of the main actor.
///
/// Inlined into an asynchronous function, the comparison makes the compiler of 6.3 fail.
@inline(never)
func isMainActor(_ isolation: (any Actor)?) -> Bool { isolation === MainActor.shared }
