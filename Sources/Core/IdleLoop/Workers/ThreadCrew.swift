internal import CLibevent

/// A thread pool whose threads sleep on one eventfd and take their tasks from one queue.
///
/// They have the lowest priority for processor and disk, so that the loop comes first.
final class ThreadCrew: Crew {
    /// The state that the threads share with the loop.
    private final class Hall: Sendable {
        struct State: ~Copyable {
            var board = TaskBoard<CrewTask>()
            var threads = 0
            var idle = 0
            var isDismissed = false
        }

        let state = Guarded(State())
        let bell: Bell

        init() throws(LoopError) {
            bell = try Bell(semaphore: true, blocking: true)
        }

        /// Runs a thread's tasks until the pool is dismissed: at most one task for each signal of
        /// the eventfd.
        func work() {
            while true {
                bell.answer()
                let (task, isDismissed) = state.withLock { state in
                    let task =
                        state.isDismissed
                        ? nil : state.board.startFirst(at: LoopClock.monotonic.now)
                    if task != nil { state.idle -= 1 }
                    return (task, state.isDismissed)
                }
                if isDismissed { return }
                guard let task else { continue }
                let outcome = CrewOutcome { try task.work() }
                let isWanted = state.withLock { state in
                    state.idle += 1
                    return state.board.finish(task.id, outcome)
                }
                if isWanted { task.report(task.id) }
            }
        }
    }

    private let width: Int
    private let hall: Hall

    init(width: Int) throws(LoopError) {
        self.width = width
        hall = try Hall()
    }

    func add(_ task: CrewTask) {
        let needsThread = hall.state.withLock { state in
            state.board.add(task)
            guard state.board.waitingCount > state.idle, state.threads < width else {
                return false
            }
            state.threads += 1
            state.idle += 1
            return true
        }
        if needsThread {
            let code = startThread { [hall] in
                lull_thread_steps_back()
                hall.work()
            }
            if code != 0, loseThread(task.id, code) {
                task.report(task.id)
                return
            }
        }
        hall.bell.ring()
    }

    /// Handles the failure to start a thread; returns true if there are no threads and the task has
    /// failed.
    private func loseThread(_ id: CrewID, _ code: Int32) -> Bool {
        hall.state.withLock { state in
            state.threads -= 1
            state.idle -= 1
            guard state.threads == 0 else { return false }
            state.board.fail(id, LoopError.system(call: "pthread_create", errno: code))
            return true
        }
    }

    func reorder(_ id: CrewID, _ order: WorkOrder) {
        hall.state.withLock { $0.board.reorder(id, order) }
    }

    func remove(_ id: CrewID) -> CrewOutcome? {
        hall.state.withLock { $0.board.remove(id) }.outcome
    }

    func start(of id: CrewID) -> Instant? {
        hall.state.withLock { $0.board.start(of: id) }
    }

    func dismiss() {
        let threads = hall.state.withLock { state in
            state.isDismissed = true
            return state.threads
        }
        if threads > 0 { hall.bell.ring(times: UInt64(threads)) }
    }
}
