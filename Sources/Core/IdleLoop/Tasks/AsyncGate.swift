/// A place at which one task waits until the gate is opened.
///
/// It's an actor with a custom executor that runs nothing. A task that calls `pass` leaves its own
/// executor for this one, is suspended here, and returns when the gate opens. A continuation would
/// do the same by way of a thread of the global pool, which costs two wake-ups and gives no
/// guarantee of when the task resumes.
///
/// ```swift
/// let gate = AsyncGate(to: loop.executor)
/// loop.schedule(after: .seconds(1)) { gate.open() }
/// await gate.pass()
/// ```
package actor AsyncGate: SerialExecutor {
    private struct State: Sendable {
        var isOpen = false
        var job: UnownedJob?
        /// Whether the waiting task runs elsewhere than on the loop.
        var isForeign = false
    }

    private nonisolated let state = Guarded(State())
    private nonisolated let executor: LoopExecutor

    /// Creates a closed gate that resumes tasks through `executor`.
    package init(to executor: LoopExecutor) {
        self.executor = executor
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    package nonisolated func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isForeign = !executor.isInTask
        let isOpen = state.withLock { state in
            if !state.isOpen { state.job = job }
            state.isForeign = isForeign
            return state.isOpen
        }
        if isOpen { executor.add(job, isForeign: isForeign) }
    }

    /// The number of passes: without a side effect in `pass`, the switch to this actor would be
    /// optimized away.
    private var passes = 0

    /// Waits until the gate is open.
    @inline(never)
    func pass() {
        passes &+= 1
    }

    /// Waits until the gate is open, or the task is cancelled.
    ///
    /// Without the caller's isolation as an argument, the call would go by way of the global pool.
    package func passUnlessCancelled(from isolation: isolated (any Actor)?) async {
        await withTaskCancellationHandler {
            _ = isolation
            await pass()
        } onCancel: {
            open()
        }
    }

    /// Opens the gate for good: resumes the waiting task, and lets others pass.
    ///
    /// May be called from any thread, and more than once.
    package nonisolated func open() {
        if let (job, isForeign) = leave() { executor.add(job, isForeign: isForeign) }
    }

    /// Opens the gate, and returns the job that resumes the waiting task.
    nonisolated func take() -> UnownedJob? { leave()?.job }

    private nonisolated func leave() -> (job: UnownedJob, isForeign: Bool)? {
        state.withLock { state in
            state.isOpen = true
            return state.job.take().map { ($0, state.isForeign) }
        }
    }
}
