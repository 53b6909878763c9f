/// Where one task waits until it's let through.
///
/// It's an actor with an executor of its own that runs nothing: a task that calls `pass` leaves its
/// own executor for this one and lies here, and goes back when the gate opens. A continuation would
/// do the same by way of a thread of the global pool, which costs two wake-ups and makes no
/// promise as to when.
///
/// ```swift
/// let gate = Gate(to: loop.executor)
/// loop.schedule(after: .seconds(1)) { gate.open() }
/// await gate.pass()
/// ```
actor Gate: SerialExecutor {
    private struct State: Sendable {
        var isOpen = false
        var job: UnownedJob?
        /// Whether the task that waits runs elsewhere than on the loop.
        var isGuest = false
    }

    private nonisolated let state = Guarded(State())
    private nonisolated let executor: LoopExecutor

    /// A gate, shut, from which tasks go on by way of `executor`.
    init(to executor: LoopExecutor) {
        self.executor = executor
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    nonisolated func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isGuest = !executor.isInTask
        let isOpen = state.withLock { state in
            if !state.isOpen { state.job = job }
            state.isGuest = isGuest
            return state.isOpen
        }
        if isOpen { executor.add(job, isGuest: isGuest) }
    }

    /// How often the gate was passed: something to do there, or the way there would be left out.
    private var passes = 0

    /// Waits until the gate is open.
    @inline(never)
    func pass() {
        passes &+= 1
    }

    /// Waits until the gate is open, which it also is when the task is cancelled.
    ///
    /// It's told where it's called from, or the way to the gate would be by the global pool.
    func passUnlessCancelled(from isolation: isolated (any Actor)?) async {
        await withTaskCancellationHandler {
            _ = isolation
            await pass()
        } onCancel: {
            open()
        }
    }

    /// Has the next task wait.
    nonisolated func shut() {
        state.withLock { $0.isOpen = false }
    }

    /// Lets through who waits and who comes, until it's shut again.
    ///
    /// May be called from any thread, and more than once.
    nonisolated func open() {
        if let (job, isGuest) = leave() { executor.add(job, isGuest: isGuest) }
    }

    /// Opens the gate, and gives what is to be run for the task that waited to go on.
    nonisolated func take() -> UnownedJob? { leave()?.job }

    private nonisolated func leave() -> (job: UnownedJob, isGuest: Bool)? {
        state.withLock { state in
            state.isOpen = true
            return state.job.take().map { ($0, state.isGuest) }
        }
    }
}
