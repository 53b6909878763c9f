internal import LullLibC

/// The identifier of a piece of work in a pool.
typealias WorkerTaskID = SlotTable<WorkerCompletion>.ID
/// The outcome of a piece of work.
typealias WorkerOutcome = Result<any Sendable, any Error>
/// A callback on the loop for when a piece of work is finished.
typealias WorkerCompletion = (WorkerOutcome) -> Void

/// What executes the parts of jobs that run off the loop, the most urgent first, in a limited number
/// of places: threads, a simulation of them on virtual time, or operations in progress.
///
/// The order is that of the jobs' queue, and changes with it while a task waits. What an executor
/// reports arrives on the loop; it never calls back from inside one of these calls, nor makes them
/// wait for a task.
protocol JobExecutor<Body>: AnyObject {
    /// What is executed.
    associatedtype Body

    /// Adds a task.
    ///
    /// When it's finished, its identifier is reported even if the loop's inbox is full: there are
    /// never more reports than tasks that were added and are finished.
    func add(_ task: JobTask<Body>)
    /// Changes the order of a task.
    func reorder(_ id: WorkerTaskID, _ order: WorkOrder)
    /// Removes a task, and returns its outcome if it is finished; one that runs is cancelled.
    func remove(_ id: WorkerTaskID) -> WorkerOutcome?
    /// Returns the time at which a task began; nil if it waits, or if the loop has taken its
    /// outcome.
    func start(of id: WorkerTaskID) -> Instant?
    /// Stops after the current tasks.
    func dismiss()
}

/// A piece of work for an executor.
struct JobTask<Body> {
    let id: WorkerTaskID
    var order: WorkOrder
    let body: Body
}

extension JobTask: Sendable where Body: Sendable {}

/// A priority queue of waiting tasks, with the running ones and the outcomes that the loop has not
/// taken yet.
struct TaskQueue<Body>: ~Copyable {
    private var heap = IndexedHeap()
    private var waiting: [Int: JobTask<Body>] = [:]
    private var starts: [WorkerTaskID: Instant] = [:]
    private var outcomes: [WorkerTaskID: (outcome: WorkerOutcome, start: Instant?)] = [:]

    var waitingCount: Int { waiting.count }
    var runningCount: Int { starts.count }

    /// Returns the time at which a running or finished task began, until the loop takes its
    /// outcome.
    func start(of id: WorkerTaskID) -> Instant? { starts[id] ?? outcomes[id]?.start }

    func isRunning(_ id: WorkerTaskID) -> Bool { starts[id] != nil }

    mutating func add(_ task: JobTask<Body>) {
        heap.insert(task.order.toRun(), slot: task.id.index)
        waiting[task.id.index] = task
    }

    mutating func reorder(_ id: WorkerTaskID, _ order: WorkOrder) {
        guard waiting[id.index]?.id == id else { return }
        waiting[id.index]?.order = order
        heap.insert(order.toRun(), slot: id.index)
    }

    /// Takes the most urgent waiting task, and counts it as running.
    mutating func startFirst(at now: Instant) -> JobTask<Body>? {
        guard let (_, slot) = heap.first, let task = waiting.removeValue(forKey: slot) else {
            return nil
        }
        heap.remove(slot: slot)
        starts[task.id] = now
        return task
    }

    /// Keeps the outcome of a task that ran; returns false if it was removed meanwhile.
    mutating func finish(_ id: WorkerTaskID, _ outcome: WorkerOutcome) -> Bool {
        guard let start = starts.removeValue(forKey: id) else { return false }
        outcomes[id] = (outcome, start)
        return true
    }

    /// Fails a waiting task.
    mutating func fail(_ id: WorkerTaskID, _ error: any Error) {
        _ = remove(id)
        outcomes[id] = (.failure(error), nil)
    }

    /// Removes a task, and returns its outcome if it is finished.
    ///
    /// A waiting task is returned, so that it's released after the change: a `deinit` of what it
    /// captures may call back.
    mutating func remove(_ id: WorkerTaskID) -> (outcome: WorkerOutcome?, waiting: JobTask<Body>?) {
        var task: JobTask<Body>?
        if waiting[id.index]?.id == id {
            task = waiting.removeValue(forKey: id.index)
            heap.remove(slot: id.index)
        }
        starts[id] = nil
        return (outcomes.removeValue(forKey: id)?.outcome, task)
    }
}

/// The tasks of a pool's executor, and who waits for their ends on the loop.
///
/// Pending work keeps an adopted loop's host running.
final class ExecutorTasks<Body> {
    /// What executes the tasks; whoever sets another fails those of the one before.
    var executor: (any JobExecutor<Body>)?
    private var completions = SlotTable<WorkerCompletion>()
    private let loop: LoopContext

    init(on loop: LoopContext) {
        self.loop = loop
    }

    deinit {
        executor?.dismiss()
        loop.countOutstanding(-completions.count)
    }

    func start(
        _ body: Body, _ order: WorkOrder, completion: @escaping WorkerCompletion
    ) -> WorkerTaskID {
        loop.countOutstanding(1)
        let id = completions.insert(completion)
        executor?.add(JobTask(id: id, order: order, body: body))
        return id
    }

    /// Delivers the outcome of a task that the executor has reported.
    func finish(_ id: WorkerTaskID) {
        if let outcome = executor?.remove(id) { take(id)?(outcome) }
    }

    /// Fails all pending work.
    func failAll(_ error: any Error) {
        for id in completions.ids { take(id)?(.failure(error)) }
    }

    /// Removes and returns a completion; nil if it was taken before.
    private func take(_ id: WorkerTaskID) -> WorkerCompletion? {
        guard completions.contains(id) else { return nil }
        loop.countOutstanding(-1)
        return completions.remove(at: id.index)
    }
}

extension ExecutorTasks: OffLoopTasks {
    func start(of id: WorkerTaskID) -> Instant? { executor?.start(of: id) }

    func reorder(_ id: WorkerTaskID, _ order: WorkOrder) { executor?.reorder(id, order) }

    func cancel(_ id: WorkerTaskID) -> WorkerOutcome? {
        take(id) == nil ? nil : executor?.remove(id)
    }
}

/// Tasks off the loop, whatever executes them.
protocol OffLoopTasks: AnyObject {
    /// Returns the time at which a task began; nil if it waits, or if the loop has taken its outcome.
    func start(of id: WorkerTaskID) -> Instant?
    /// Changes the order of a task.
    func reorder(_ id: WorkerTaskID, _ order: WorkOrder)
    /// Cancels a task: it doesn't start, or its outcome is discarded; returns the outcome if it's
    /// finished and has not arrived.
    func cancel(_ id: WorkerTaskID) -> WorkerOutcome?
}
