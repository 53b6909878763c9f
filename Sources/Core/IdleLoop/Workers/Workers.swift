/// The identifier of a piece of work in a pool.
typealias WorkerTaskID = SlotTable<WorkerCompletion>.ID
/// The outcome of a piece of work.
typealias WorkerOutcome = Result<any Sendable, any Error>
/// A callback on the loop for when a piece of work is finished.
typealias WorkerCompletion = (WorkerOutcome) -> Void

/// The completions of a pool's pending work, which keeps an adopted loop's host running.
struct CompletionTable: ~Copyable {
    private var completions = SlotTable<WorkerCompletion>()
    private let loop: LoopContext

    init(on loop: LoopContext) {
        self.loop = loop
    }

    deinit {
        loop.countOutstanding(-completions.count)
    }

    var ids: [WorkerTaskID] { completions.ids }

    mutating func add(_ completion: @escaping WorkerCompletion) -> WorkerTaskID {
        loop.countOutstanding(1)
        return completions.insert(completion)
    }

    /// Removes and returns a completion; nil if it was taken before.
    mutating func take(_ id: WorkerTaskID) -> WorkerCompletion? {
        guard completions.contains(id) else { return nil }
        loop.countOutstanding(-1)
        return completions.remove(at: id.index)
    }
}

/// The executor of a pool's work: threads, or a simulation on virtual time.
protocol Workers: AnyObject {
    /// Adds a task.
    ///
    /// When it's finished, its identifier is reported even if the loop's inbox is full: there are
    /// never more reports than tasks that were added and are finished.
    func add(_ task: WorkerTask)
    /// Changes the order of a waiting task.
    func reorder(_ id: WorkerTaskID, _ order: WorkOrder)
    /// Removes a task, and returns its outcome if it is finished.
    func remove(_ id: WorkerTaskID) -> WorkerOutcome?
    /// Returns the time at which a task began; nil if it waits, or if the loop has taken its
    /// outcome.
    func start(of id: WorkerTaskID) -> Instant?
    /// Stops the workers after their current tasks.
    func dismiss()
}

/// A piece of work for a pool.
struct WorkerTask: Sendable {
    let id: WorkerTaskID
    var order: WorkOrder
    let cost: Duration
    /// A closure that reports the finished task to the loop.
    let report: @Sendable (WorkerTaskID) -> Void
    let work: @Sendable () throws -> any Sendable
}

/// The properties of a task that a task queue uses.
protocol QueuedTask {
    var id: WorkerTaskID { get }
    var order: WorkOrder { get set }
}

extension WorkerTask: QueuedTask {}

/// A priority queue of waiting tasks, with the running ones and the outcomes that the loop has not
/// taken yet.
struct TaskQueue<Task: QueuedTask>: ~Copyable {
    private var heap = IndexedHeap()
    private var waiting: [Int: Task] = [:]
    private var starts: [WorkerTaskID: Instant] = [:]
    private var outcomes: [WorkerTaskID: (outcome: WorkerOutcome, start: Instant?)] = [:]

    var waitingCount: Int { waiting.count }
    var runningCount: Int { starts.count }

    /// Returns the time at which a running or finished task began, until the loop takes its
    /// outcome.
    func start(of id: WorkerTaskID) -> Instant? { starts[id] ?? outcomes[id]?.start }

    func isRunning(_ id: WorkerTaskID) -> Bool { starts[id] != nil }

    mutating func add(_ task: Task) {
        heap.insert(task.order.toRun(), slot: task.id.index)
        waiting[task.id.index] = task
    }

    mutating func reorder(_ id: WorkerTaskID, _ order: WorkOrder) {
        guard waiting[id.index]?.id == id else { return }
        waiting[id.index]?.order = order
        heap.insert(order.toRun(), slot: id.index)
    }

    /// Takes the most urgent waiting task, and counts it as running.
    mutating func startFirst(at now: Instant) -> Task? {
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
    mutating func remove(_ id: WorkerTaskID) -> (outcome: WorkerOutcome?, waiting: Task?) {
        var task: Task?
        if waiting[id.index]?.id == id {
            task = waiting.removeValue(forKey: id.index)
            heap.remove(slot: id.index)
        }
        starts[id] = nil
        return (outcomes.removeValue(forKey: id)?.outcome, task)
    }
}
