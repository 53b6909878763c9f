/// An executor whose tasks begin and end on the loop's thread: operations in progress, or work that a
/// simulation on virtual time runs inline.
///
/// Places are filled after the current callback: it may cancel, reorder and add tasks, and the places
/// go by the resulting order. Ends are reported then, too, never from inside one of the operations'
/// own calls. With nothing to start or report, nothing is scheduled.
final class LocalExecutor<Body>: JobExecutor {
    /// How a task begins.
    typealias Begin = (Body, OperationCompletion<any Sendable>) -> any PendingOperation

    private let width: Int
    private let clock: LoopClock
    private let begin: Begin
    /// A closure that schedules a call after the current callback, at the same time.
    private let later: (@escaping () -> Void) -> Void
    private let report: (WorkerTaskID) -> Void
    /// Whether a task ends in a call of its own, as an event on virtual time.
    private let endsInOwnCall: Bool
    private var taskQueue = TaskQueue<Body>()
    private var operations: [WorkerTaskID: any PendingOperation] = [:]
    /// The tasks that have ended and were not reported yet, in the order of their ends.
    private var ended: [WorkerTaskID] = []
    private var isScheduled = false

    init(
        width: Int, clock: LoopClock, endsInOwnCall: Bool = false,
        later: @escaping (@escaping () -> Void) -> Void, report: @escaping (WorkerTaskID) -> Void,
        begin: @escaping Begin
    ) {
        self.width = width
        self.clock = clock
        self.later = later
        self.report = report
        self.endsInOwnCall = endsInOwnCall
        self.begin = begin
    }

    deinit {
        dismiss()
    }

    /// The number of operations in progress, and of those that wait for a place.
    var counts: (running: Int, waiting: Int) { (taskQueue.runningCount, taskQueue.waitingCount) }

    func add(_ task: JobTask<Body>) {
        taskQueue.add(task)
        workSoon()
    }

    func reorder(_ id: WorkerTaskID, _ order: WorkOrder) {
        taskQueue.reorder(id, order)
        operations[id]?.reprioritize(order.priority, rank: order.rank)
    }

    func remove(_ id: WorkerTaskID) -> WorkerOutcome? {
        if taskQueue.isRunning(id) { workSoon() }
        let removed = taskQueue.remove(id)
        operations.removeValue(forKey: id)?.cancel()
        return removed.outcome
    }

    func start(of id: WorkerTaskID) -> Instant? { taskQueue.start(of: id) }

    func dismiss() {
        taskQueue = TaskQueue<Body>()
        let operations = operations
        self.operations = [:]
        for operation in operations.values { operation.cancel() }
    }

    private func workSoon() {
        guard !isScheduled else { return }
        isScheduled = true
        later { [weak self] in self?.work() }
    }

    /// Reports what has ended, then fills free places.
    private func work() {
        isScheduled = false
        let ended = ended
        self.ended = []
        for id in ended { report(id) }
        while taskQueue.runningCount < width, let task = taskQueue.startFirst(at: clock.now) {
            start(task)
        }
    }

    private func start(_ task: JobTask<Body>) {
        var hasEnded = false
        let operation = begin(
            task.body,
            OperationCompletion<any Sendable> { [weak self, id = task.id] outcome in
                hasEnded = true
                self?.finish(id, outcome)
            })
        if taskQueue.isRunning(task.id) {
            operations[task.id] = operation
            operation.reprioritize(task.order.priority, rank: task.order.rank)
        } else if !hasEnded {
            operation.cancel()  // it was cancelled while it was being started
        }
    }

    private func finish(_ id: WorkerTaskID, _ outcome: WorkerOutcome) {
        guard taskQueue.finish(id, outcome) else { return }
        ended.append(id)
        if endsInOwnCall { work() } else { workSoon() }
        operations.removeValue(forKey: id)
    }
}

/// Work that was run inline, and whose outcome arrives when its cost has passed.
final class VirtualRun: PendingOperation {
    private var outcome: WorkerOutcome?

    init(
        _ body: WorkerBody, on time: VirtualTime, then completion: OperationCompletion<any Sendable>
    ) {
        outcome = WorkerOutcome { try body.work() }
        time.at(time.now.advanced(by: body.cost)) { [weak self] in
            if let outcome = self?.outcome.take() { completion(outcome) }
        }
    }

    func cancel() { outcome = nil }
}
