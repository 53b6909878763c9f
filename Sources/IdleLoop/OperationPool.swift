/// A bounded number of operations that go on by themselves, started in their turn, the most urgent
/// first.
///
/// It is to transfers what a ``WorkerPool`` is to computations: nothing leaves the loop's thread.
/// An operation is started from the loop, after all that was being said when it was handed in; what
/// it comes to is told from the loop too, never from inside a call of the operation's own. Work gets
/// here through `IdleQueue.submit(_:priority:rank:on:cost:kind:timeout:onEnd:start:then:)`.
///
/// One that has nothing to start and nothing to tell has no timer.
public final class OperationPool: ErrandPool {
    /// How many run at once.
    package let width: Int

    private let loop: MainLoop
    private var board = TaskBoard<OperationTask>()
    private var completions = SlotTable<CrewCompletion>()
    private var operations: [CrewID: any PendingOperation] = [:]
    /// What has ended and wasn't told yet, in the order of its end.
    private var ended: [CrewID] = []
    private var timer: LoopTimer?

    /// A pool of so many places, whose operations live on `loop`.
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

    /// Whether one more would have to wait for its place.
    package var isFull: Bool { board.waitingCount + board.runningCount >= width }

    /// Those that have a place, and those that wait for one.
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

    /// Takes an operation back: it isn't started, or is cancelled; what it has come to, and wasn't
    /// told yet, is returned.
    func cancel(_ ticket: ErrandTicket) -> CrewOutcome? {
        guard completions.contains(ticket.id) else { return nil }
        completions.remove(at: ticket.id.index)
        loop.context.countErrands(-1)
        let outcome = board.remove(ticket.id).outcome
        if board.waitingCount > 0 { workSoon() }
        operations.removeValue(forKey: ticket.id)?.cancel()
        return outcome
    }

    /// Fills free places and tells of ends at this same moment, but after all that is being said now:
    /// one demand may cancel, raise and add, and the places go by the order that results.
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
            operation.cancel()  // it was taken back while it was being started
        }
    }

    private func finish(_ id: CrewID, _ outcome: CrewOutcome) {
        guard board.finish(id, outcome) else { return }
        ended.append(id)
        workSoon()
        operations.removeValue(forKey: id)
    }
}

/// An operation that waits for its place.
struct OperationTask: BoardTask {
    typealias Start = (OperationCompletion<any Sendable>) -> any PendingOperation

    let id: CrewID
    let order: WorkOrder
    let start: Start
}

/// Where what an operation comes to waits for the loop to take it, with its type.
final class OutputPlace<Output> {
    private var output: Output?
    private var isSet = false

    /// Starts an operation whose first output is kept here, and whose end is reported.
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
