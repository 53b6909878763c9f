/// A loop's support for the tasks that run on it.
final class LoopTasks {
    let executor: LoopExecutor
    let isolation: LoopIsolation
    let loop: LoopContext
    private let workers: IdleWorkers
    private var order = IndexedHeap()
    private var waiting = SlotTable<TaskSlot>()
    private var sequence: UInt64 = 0
    private var worker: IdleWorker?
    /// The jobs of other tasks that wait for the present one, which runs the host's loop: a task has
    /// its actor to itself until it suspends.
    private var postponed: [UnownedJob] = []
    private var isOnMainActor = false

    init(of executor: LoopExecutor, on loop: LoopContext, _ workers: IdleWorkers) {
        self.executor = executor
        self.loop = loop
        self.workers = workers
        isolation = LoopIsolation(on: executor, keepsTasks: loop.clock.isVirtual)
    }

    /// Runs a task that is isolated to the main actor up to its next suspension, on the main thread.
    func runOnMainActor(_ job: UnownedJob) {
        guard !isOnMainActor else { return postponed.append(job) }
        onMainActor { unsafe run(job, on: MainActor.sharedUnownedExecutor) }
    }

    /// Calls `body`, which runs tasks of the main actor.
    func onMainActor(_ body: () -> Void) {
        isOnMainActor = true
        body()
        isOnMainActor = false
        runPostponed()
    }

    private func runPostponed() {
        guard !postponed.isEmpty else { return }
        let jobs = postponed
        postponed = []
        for job in jobs { executor.add(job, isForeign: true) }
    }

    /// Runs a task up to its next suspension.
    func run(_ job: UnownedJob) {
        guard !executor.isInTask else { return postponed.append(job) }
        let place = unsafe executor.asUnownedSerialExecutor()
        executor.runTask { unsafe run(job, on: place) }
        runPostponed()
    }

    /// The job is run according to its own kind: a task whose executor preference differs from that
    /// given here would be put back in the inbox, or in the main queue, at each of its calls.
    private func run(_ job: UnownedJob, on place: UnownedSerialExecutor) {
        // On virtual time tasks prefer this executor.
        if loop.clock.isVirtual {
            unsafe job.runSynchronously(
                isolatedTo: place, taskExecutor: executor.asUnownedTaskExecutor())
        } else {
            unsafe job.runSynchronously(on: place)
        }
    }

    // MARK: - Tasks that wait for a lull

    /// Adds a slot whose task waits for a lull; each gets a lull of its own.
    ///
    /// O(log n).
    func add(_ slot: TaskSlot) -> SlotTable<TaskSlot>.ID {
        sequence += 1
        let id = waiting.insert(slot)
        order.insert(HeapOrder(major: sequence, minor: 0), slot: id.index)
        if worker == nil {
            let worker = ClosureWorker(on: loop) { [weak self] in self?.work($0) ?? .nothing }
            workers.add(worker)
            self.worker = worker
        }
        loop.wantIdle()
        return id
    }

    /// Removes a slot whose task no longer waits.
    ///
    /// O(log n).
    func remove(_ id: SlotTable<TaskSlot>.ID) {
        guard waiting.contains(id) else { return }
        waiting.remove(at: id.index)
        order.remove(slot: id.index)
        rest()
    }

    private func work(_ lull: borrowing IdleSlot) -> IdleResult {
        while let (_, place) = order.first {
            order.remove(slot: place)
            let slot = waiting.remove(at: place)
            if slot.run(in: lull) {
                rest()
                return .worked
            }
        }
        rest()
        return .nothing
    }

    private func rest() {
        guard waiting.count == 0 else { return }
        worker?.cancel()
        worker = nil
    }

    /// Ends all waits when the loop is closed.
    func close() {
        worker?.cancel()
        worker = nil
        for place in waiting.occupied {
            let slot = waiting.remove(at: place)
            slot.gate.open()
        }
        order = IndexedHeap()
    }
}
