internal import LullLibC

/// A pool that limits the number of asynchronous operations in progress, and starts the most urgent
/// first.
///
/// It is for operations such as transfers what a ``WorkerPool`` is for computations: nothing leaves
/// the loop's thread. An operation is started from the loop, after the callback that submitted it.
/// Its outcome is delivered from the loop too, never from inside one of the operation's own calls.
/// Work is submitted by `IdleQueue.submit(_:priority:rank:on:cost:kind:timeout:onEnd:start:then:)`.
///
/// A pool with nothing to start or deliver has no timer.
public final class OperationPool: OffLoopPool {
    /// The maximum number of operations in progress.
    package let width: Int

    private let loop: MainLoop
    private var taskQueue = TaskQueue<OperationTask>()
    private var completions: CompletionTable
    private var operations: [WorkerTaskID: any PendingOperation] = [:]
    /// The operations that have ended and whose outcome is not delivered yet, in the order of their
    /// ends.
    private var ended: [WorkerTaskID] = []
    private var timer: LoopTimer?

    /// Creates a pool with `width` places, whose operations run on `loop`.
    ///
    /// Traps if the width is less than one.
    public init(width: Int, on loop: MainLoop) {
        precondition(width > 0, "an operation pool has at least one place")
        self.width = width
        self.loop = loop
        completions = CompletionTable(on: loop.context)
    }

    deinit {
        timer?.cancel()
        for operation in operations.values { operation.cancel() }
    }

    /// Whether another operation would have to wait for a place.
    package var isFull: Bool { taskQueue.waitingCount + taskQueue.runningCount >= width }

    /// The number of operations in progress, and of those that wait for a place.
    package var counts: (running: Int, waiting: Int) {
        (taskQueue.runningCount, taskQueue.waitingCount)
    }

    func start(
        _ order: WorkOrder, start: @escaping OperationTask.Start,
        completion: @escaping WorkerCompletion
    ) -> WorkerTaskID {
        let id = completions.add(completion)
        taskQueue.add(OperationTask(id: id, order: order, start: start))
        workSoon()
        return id
    }

    func start(of id: WorkerTaskID) -> Instant? { taskQueue.start(of: id) }

    func reorder(_ id: WorkerTaskID, _ order: WorkOrder) {
        taskQueue.reorder(id, order)
        operations[id]?.reprioritize(order.priority, rank: order.rank)
    }

    /// Cancels an operation, started or not; returns its outcome if that is not delivered yet.
    func cancel(_ id: WorkerTaskID) -> WorkerOutcome? {
        guard completions.take(id) != nil else { return nil }
        let outcome = taskQueue.remove(id).outcome
        if taskQueue.waitingCount > 0 { workSoon() }
        operations.removeValue(forKey: id)?.cancel()
        return outcome
    }

    /// Fills free places and delivers outcomes at the current time, but after the current callback:
    /// it may cancel, reprioritize and add operations, and the places go by the resulting order.
    private func workSoon() {
        guard timer == nil, !loop.isClosed else { return }
        timer = loop.schedule(at: loop.clock.now) { [weak self] in self?.work() }
    }

    private func work() {
        timer = nil
        let ended = ended
        self.ended = []
        for id in ended {
            if let outcome = taskQueue.remove(id).outcome { completions.take(id)?(outcome) }
        }
        while taskQueue.runningCount < width, let task = taskQueue.startFirst(at: loop.clock.now) {
            begin(task)
        }
    }

    private func begin(_ task: OperationTask) {
        var hasEnded = false
        let operation = task.start(
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
        workSoon()
        operations.removeValue(forKey: id)
    }
}

/// An operation that waits for a place.
struct OperationTask: QueuedTask {
    typealias Start = (OperationCompletion<any Sendable>) -> any PendingOperation

    let id: WorkerTaskID
    var order: WorkOrder
    let start: Start
}

/// The typed output of an operation, until the loop takes it.
final class PendingOutput<Output> {
    private var output: Output?
    private var isSet = false
    /// The work whose output it is.
    weak var work: OffLoopWork?

    /// Starts an operation; its first output is kept here, and its end is reported.
    func start(
        _ start: (OperationCompletion<Output>) -> any PendingOperation,
        _ completion: OperationCompletion<any Sendable>
    ) -> any PendingOperation {
        start(
            OperationCompletion { [weak self] result in
                guard let self, !isSet else { return }
                isSet = true
                completion(
                    result.map {
                        output = $0
                        return true
                    })
            } process: { [weak self] body in
                guard let self, !isSet else { return }
                work?.process?(body)
            })
    }

    func take() -> Output? { output.take() }
}
