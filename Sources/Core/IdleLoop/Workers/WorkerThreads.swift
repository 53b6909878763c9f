internal import CLullLibevent

/// The threads of a pool, which sleep on one eventfd and take their tasks from one queue.
///
/// They have the lowest priority for processor and disk, so that the loop comes first. On virtual
/// time there is only the queue.
final class WorkerThreads: Sendable {
    typealias Task = TaskQueue<WorkerBody, any Sendable>.Entry

    struct State: ~Copyable {
        var tasks = TaskQueue<WorkerBody, any Sendable>()
        var threads = 0
        var idle = 0
        var isDismissed = false
    }

    let state = Guarded(State())
    private let eventFD: EventFD
    private let port: InboxPort<WorkID>

    /// Creates a queue whose threads report finished tasks to the loop by `port`.
    init(reportingTo port: InboxPort<WorkID>) throws(LoopError) {
        eventFD = try EventFD(semaphore: true, blocking: true)
        self.port = port
    }

    /// Runs a thread's tasks until the pool is dismissed: at most one task for each signal of the
    /// eventfd.
    private func work() {
        while true {
            eventFD.clear()
            let (task, isDismissed) = state.withLock { state -> (Task?, Bool) in
                guard !state.isDismissed else { return (nil, true) }
                let task = state.tasks.startFirst(at: LoopClock.monotonic.now)
                if task != nil { state.idle -= 1 }
                return (task, false)
            }
            if isDismissed { return }
            guard let task else { continue }
            let outcome = Result<any Sendable, any Error> { try task.body.work() }
            let isWanted = state.withLock { state in
                state.idle += 1
                return state.tasks.finish(task.id, outcome)
            }
            if isWanted { port.sendAnyway(task.id) }
        }
    }

    /// Wakes a thread for a task that was added, or starts one if there are fewer than `width`; returns
    /// whether the task has failed, as no thread could be started.
    func start(upTo width: Int, for id: WorkID) -> Bool {
        let needsThread = state.withLock { state in
            guard state.tasks.waitingCount > state.idle, state.threads < width else { return false }
            state.threads += 1
            state.idle += 1
            return true
        }
        if needsThread {
            let code = startThread { [self] in
                lull_thread_steps_back()
                work()
            }
            if code != 0, loseThread(id, code) { return true }
        }
        eventFD.signal()
        return false
    }

    /// Handles the failure to start a thread; returns true if there are no threads and the task has
    /// failed.
    private func loseThread(_ id: WorkID, _ code: Int32) -> Bool {
        state.withLock { state in
            state.threads -= 1
            state.idle -= 1
            guard state.threads == 0 else { return false }
            state.tasks.fail(id, LoopError.system(call: "pthread_create", errno: code))
            return true
        }
    }

    /// Stops the threads after their current tasks.
    func dismiss() {
        let threads = state.withLock { state in
            state.isDismissed = true
            return state.threads
        }
        if threads > 0 { eventFD.signal(times: UInt64(threads)) }
    }
}

/// Work for a thread.
struct WorkerBody: Sendable {
    /// What it costs on virtual time.
    let cost: Duration
    let work: @Sendable () throws -> any Sendable
}
