internal import LullLibC

/// A pool that limits the number of asynchronous operations in progress, and starts the most urgent
/// first.
///
/// It is for operations such as transfers what a ``WorkerPool`` is for computations: nothing leaves
/// the loop's thread. Places are filled after the callback that submitted, cancelled or reordered
/// operations, and outcomes are delivered then, too, never from inside one of the operation's own
/// calls. Work is submitted by `IdleQueue.submit(_:priority:rank:on:timeout:onEnd:start:then:)`.
///
/// A pool with nothing to start or deliver has no timer.
package final class OperationPool {
    /// How an operation is started.
    typealias Start = (OperationCompletion<Any>) -> any PendingOperation

    /// The maximum number of operations in progress.
    package let width: Int

    let pending: PendingWork
    private let loop: LoopContext
    private var tasks = TaskQueue<Start, Any>()
    private var operations: [WorkID: any PendingOperation] = [:]
    /// The operations that have ended and were not delivered yet, in the order of their ends.
    private var ended: [WorkID] = []
    private var isScheduled = false

    /// Creates a pool with `width` places, whose operations run on `loop`.
    ///
    /// Traps if the width is less than one.
    package init(width: Int, on loop: MainLoop) {
        precondition(width > 0, "an operation pool has at least one place")
        self.width = width
        self.loop = loop.context
        pending = PendingWork(on: loop.context)
        pending.executor = self
    }

    /// Whether another operation would have to wait for a place.
    package var isFull: Bool { tasks.waitingCount + tasks.runningCount >= width }

    /// The number of operations in progress, and of those that wait for a place.
    package var counts: (running: Int, waiting: Int) { (tasks.runningCount, tasks.waitingCount) }

    func add(_ start: @escaping Start, _ id: WorkID, _ order: WorkOrder) {
        tasks.add(start, id, order)
        workSoon()
    }

    private func workSoon() {
        guard !isScheduled else { return }
        isScheduled = true
        _ = loop.schedule(at: loop.clock.now) { [weak self] in self?.work() }
    }

    /// Delivers what has ended, then fills free places.
    private func work() {
        isScheduled = false
        let ended = ended
        self.ended = []
        for id in ended { pending.arrive(id) }
        while tasks.runningCount < width, let task = tasks.startFirst(at: loop.clock.now) {
            start(task)
        }
    }

    private func start(_ task: TaskQueue<Start, Any>.Entry) {
        let id = task.id
        var hasEnded = false
        let operation = task.body(
            OperationCompletion { [weak self] outcome in
                hasEnded = true
                self?.finish(id, outcome)
            } process: { [weak self] part in
                if let self, tasks[id]?.isRunning == true { pending[id]?.process(part) }
            })
        if tasks[id]?.isRunning == true {
            operations[id] = operation
            operation.reprioritize(task.order.priority, rank: task.order.rank)
        } else if !hasEnded {
            operation.cancel()  // it was cancelled while it was being started
        }
    }

    private func finish(_ id: WorkID, _ outcome: Result<Any, any Error>) {
        guard tasks.finish(id, outcome) else { return }
        ended.append(id)
        workSoon()
        operations.removeValue(forKey: id)
    }
}

extension OperationPool: JobExecutor {
    func reorder(_ id: WorkID, _ order: WorkOrder) {
        tasks.reorder(id, order)
        operations[id]?.reprioritize(order.priority, rank: order.rank)
    }

    func remove(_ id: WorkID) -> Result<Any, any Error>? {
        let removed = tasks.remove(id)
        if removed?.isRunning == true { workSoon() }
        operations.removeValue(forKey: id)?.cancel()
        return removed?.outcome
    }

    func start(of id: WorkID) -> Instant? { tasks[id]?.start }
}
