internal import LullLibC
internal import Synchronization

/// The work of a pool: what waits for a thread, and what threads have.
final class WorkerTasks: LaneClient {
    private struct Task {
        let id: WorkID
        let run: LaneRun
        let outcome: WorkerOutcome
        var order: WorkOrder
    }

    private let pending: PendingWork
    private unowned let lanes: Lanes
    private let loop: LoopContext
    private var tasks: [Int: Task] = [:]
    private var waiting = IndexedHeap()
    var laneAccount = FairOrder.Account(weight: 1)

    init(_ pending: PendingWork, on lanes: Lanes, _ loop: LoopContext) {
        self.pending = pending
        self.lanes = lanes
        self.loop = loop
    }

    func add(_ body: WorkerBody, _ id: WorkID, _ order: WorkOrder) {
        let outcome = WorkerOutcome()
        let run = LaneRun({ outcome.perform(body, in: $0) }, slice: nil)
        unsafe (run.client, run.slot) = (self, id.index)
        tasks[id.index] = Task(id: id, run: run, outcome: outcome, order: order)
        waiting.insert(order.toRun(), slot: id.index)
        lanes.fill()
    }

    private func task(of run: LaneRun) -> Task? {
        unsafe tasks[run.slot].flatMap { $0.run === run ? $0 : nil }
    }

    // MARK: - LaneClient

    var nextForLanes: HeapOrder? { waiting.first?.order }
    var isCalling: Bool { false }

    /// Whether there are no threads, and none can be started; the loop doesn't do such work.
    var takesAnywhere = false {
        didSet {
            guard takesAnywhere else { return }
            _ = loop.schedule(at: loop.clock.now) { [weak self] in self?.failWaiting() }
        }
    }

    private func failWaiting() {
        while let slot = waiting.first?.slot, let id = tasks[slot]?.id {
            pending.fail(id, LoopError.system(call: "pthread_create", errno: EAGAIN))
        }
    }

    func leave() -> LaneRun? {
        guard let (order, slot) = waiting.first, let run = tasks[slot]?.run else { return nil }
        waiting.remove(slot: slot)
        run.leave(at: order)
        return run
    }

    func readmit(_ run: LaneRun) {
        guard let task = task(of: run) else { return }
        waiting.insert(task.order.toRun(), slot: task.id.index)
    }

    func takeBack(_ run: LaneRun) {
        if let task = task(of: run) { pending.arrive(task.id) }
    }

    func lose(_ run: LaneRun) {
        if let task = task(of: run) { pending.fail(task.id, LoopError.lostInFork) }
    }
}

extension WorkerTasks: JobExecutor {
    func reorder(_ id: WorkID, _ order: WorkOrder) {
        guard let task = tasks[id.index], task.id == id else { return }
        tasks[id.index]?.order = order
        guard waiting.contains(slot: id.index) || lanes.withdraw(task.run) else { return }
        waiting.insert(order.toRun(), slot: id.index)
        lanes.fill()
    }

    func remove(_ id: WorkID) -> Result<Any, any Error>? {
        guard let task = tasks[id.index], task.id == id else { return nil }
        tasks[id.index] = nil
        waiting.remove(slot: id.index)
        lanes.cancel(task.run)
        return task.run.isReturned ? unsafe task.outcome.result?.map { $0 as Any } : nil
    }

    func start(of id: WorkID) -> Instant? {
        tasks[id.index].flatMap { $0.id == id ? $0.outcome.start : nil }
    }
}

/// The outcome of a piece of work, which its thread sets.
private final class WorkerOutcome: Sendable {
    private let begun = Atomic(Int64.min)
    // Set by the thread that has the run, and read by the loop when it's returned.
    nonisolated(unsafe) private(set) var result: Result<any Sendable, any Error>?

    func perform(_ body: WorkerBody, in slot: borrowing IdleSlot) -> JobProgress {
        begun.store(slot.now.nanoseconds, ordering: .relaxed)
        unsafe result = Result { try body.work() }
        slot.charge(body.cost)
        return .done
    }

    /// The time at which it began.
    var start: Instant? {
        let begun = begun.load(ordering: .relaxed)
        return begun == .min ? nil : Instant(nanoseconds: begun)
    }
}

/// Work for a thread.
struct WorkerBody: Sendable {
    /// What it costs on virtual time.
    let cost: Duration
    let work: @Sendable () throws -> any Sendable
}
