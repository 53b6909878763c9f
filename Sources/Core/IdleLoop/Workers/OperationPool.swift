/// A pool that limits the number of asynchronous operations in progress, and starts the most urgent
/// first.
///
/// It is for operations such as transfers what a ``WorkerPool`` is for computations: nothing leaves
/// the loop's thread. An operation is started from the loop, after the callback that submitted it.
/// Its outcome is delivered from the loop too, never from inside one of the operation's own calls.
/// Work is submitted by `IdleQueue.submit(_:priority:rank:on:cost:kind:timeout:onEnd:start:then:)`.
///
/// A pool with nothing to start or deliver has no timer.
public final class OperationPool: ErrandPool {
    /// The maximum number of operations in progress.
    package let width: Int

    private let loop: MainLoop
    private var board = TaskBoard<OperationTask>()
    private var completions = SlotTable<CrewCompletion>()
    private var operations: [CrewID: any PendingOperation] = [:]
    /// The operations that have ended and whose outcome is not delivered yet, in the order of their
    /// ends.
    private var ended: [CrewID] = []
    private var timer: LoopTimer?

    /// Creates a pool with `width` places, whose operations run on `loop`.
    public init(width: Int, on loop: MainLoop) {
        precondition(width > 0, "an operation pool has at least one place")
        self.width = width
        self.loop = loop
    }

    deinit {
        timer?.cancel()
        for operation in operations.values { operation.cancel() }
        loop.context.countErrands(-completions.count)
    }

    /// Whether another operation would have to wait for a place.
    package var isFull: Bool { board.waitingCount + board.runningCount >= width }

    /// The number of operations in progress, and of those that wait for a place.
    package var counts: (running: Int, waiting: Int) { (board.runningCount, board.waitingCount) }

    func start(
        _ order: WorkOrder, start: @escaping OperationTask.Start,
        completion: @escaping CrewCompletion
    ) -> ErrandTicket {
        let id = completions.insert(completion)
        loop.context.countErrands(1)
        board.add(OperationTask(id: id, order: order, start: start))
        workSoon()
        return ErrandTicket(id: id)
    }

    func start(of ticket: ErrandTicket) -> Instant? { board.start(of: ticket.id) }

    func reorder(_ ticket: ErrandTicket, _ order: WorkOrder) {
        board.reorder(ticket.id, order)
    }

    /// Cancels an operation, started or not; returns its outcome if that is not delivered yet.
    func cancel(_ ticket: ErrandTicket) -> CrewOutcome? {
        guard completions.contains(ticket.id) else { return nil }
        completions.remove(at: ticket.id.index)
        loop.context.countErrands(-1)
        let outcome = board.remove(ticket.id).outcome
        if board.waitingCount > 0 { workSoon() }
        operations.removeValue(forKey: ticket.id)?.cancel()
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
            guard completions.contains(id), let outcome = board.remove(id).outcome else { continue }
            loop.context.countErrands(-1)
            completions.remove(at: id.index)(outcome)
        }
        while board.runningCount < width, let task = board.startFirst(at: loop.clock.now) {
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
        if board.isRunning(task.id) {
            operations[task.id] = operation
        } else if !hasEnded {
            operation.cancel()  // it was cancelled while it was being started
        }
    }

    private func finish(_ id: CrewID, _ outcome: CrewOutcome) {
        guard board.finish(id, outcome) else { return }
        ended.append(id)
        workSoon()
        operations.removeValue(forKey: id)
    }
}

/// An operation that waits for a place.
struct OperationTask: BoardTask {
    typealias Start = (OperationCompletion<any Sendable>) -> any PendingOperation

    let id: CrewID
    let order: WorkOrder
    let start: Start
}

/// A place for the typed output of an operation, until the loop takes it.
final class OutputPlace<Output> {
    private var output: Output?
    private var isSet = false

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
            })
    }

    func take() -> Output? { output.take() }
}
