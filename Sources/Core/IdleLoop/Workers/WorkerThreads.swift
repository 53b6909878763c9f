internal import CLullLibevent

/// A thread pool whose threads sleep on one eventfd and take their tasks from one queue.
///
/// They have the lowest priority for processor and disk, so that the loop comes first.
final class WorkerThreads: JobExecutor {
    /// The state that the threads share with the loop.
    private final class SharedState: Sendable {
        struct State: ~Copyable {
            var taskQueue = TaskQueue<WorkerBody>()
            var threads = 0
            var idle = 0
            var isDismissed = false
        }

        let state = Guarded(State())
        let eventFD: EventFD
        let port: InboxPort<WorkerTaskID>

        init(reportingTo port: InboxPort<WorkerTaskID>) throws(LoopError) {
            eventFD = try EventFD(semaphore: true, blocking: true)
            self.port = port
        }

        /// Runs a thread's tasks until the pool is dismissed: at most one task for each signal of
        /// the eventfd.
        func work() {
            while true {
                eventFD.clear()
                let (task, isDismissed) = state.withLock { state in
                    let task =
                        state.isDismissed
                        ? nil : state.taskQueue.startFirst(at: LoopClock.monotonic.now)
                    if task != nil { state.idle -= 1 }
                    return (task, state.isDismissed)
                }
                if isDismissed { return }
                guard let task else { continue }
                let outcome = WorkerOutcome { try task.body.work() }
                let isWanted = state.withLock { state in
                    state.idle += 1
                    return state.taskQueue.finish(task.id, outcome)
                }
                if isWanted { port.sendAnyway(task.id) }
            }
        }
    }

    private let width: Int
    private let shared: SharedState

    /// Creates a pool that reports finished tasks to the loop by `port`.
    init(width: Int, reportingTo port: InboxPort<WorkerTaskID>) throws(LoopError) {
        self.width = width
        shared = try SharedState(reportingTo: port)
    }

    func add(_ task: JobTask<WorkerBody>) {
        let needsThread = shared.state.withLock { state in
            state.taskQueue.add(task)
            guard state.taskQueue.waitingCount > state.idle, state.threads < width else {
                return false
            }
            state.threads += 1
            state.idle += 1
            return true
        }
        if needsThread {
            let code = startThread { [shared] in
                lull_thread_steps_back()
                shared.work()
            }
            if code != 0, loseThread(task.id, code) {
                shared.port.sendAnyway(task.id)
                return
            }
        }
        shared.eventFD.signal()
    }

    /// Handles the failure to start a thread; returns true if there are no threads and the task has
    /// failed.
    private func loseThread(_ id: WorkerTaskID, _ code: Int32) -> Bool {
        shared.state.withLock { state in
            state.threads -= 1
            state.idle -= 1
            guard state.threads == 0 else { return false }
            state.taskQueue.fail(id, LoopError.system(call: "pthread_create", errno: code))
            return true
        }
    }

    func reorder(_ id: WorkerTaskID, _ order: WorkOrder) {
        shared.state.withLock { $0.taskQueue.reorder(id, order) }
    }

    func remove(_ id: WorkerTaskID) -> WorkerOutcome? {
        shared.state.withLock { $0.taskQueue.remove(id) }.outcome
    }

    func start(of id: WorkerTaskID) -> Instant? {
        shared.state.withLock { $0.taskQueue.start(of: id) }
    }

    func dismiss() {
        let threads = shared.state.withLock { state in
            state.isDismissed = true
            return state.threads
        }
        if threads > 0 { shared.eventFD.signal(times: UInt64(threads)) }
    }
}

/// Work for a thread.
struct WorkerBody: Sendable {
    /// What it costs on virtual time.
    let cost: Duration
    let work: @Sendable () throws -> any Sendable
}
