/// A loop's support for the tasks that run on it.
final class LoopTasks {
    let executor: LoopExecutor
    let isolation: LoopIsolation
    let loop: LoopContext
    private let workers: IdleWorkers
    /// The slots whose tasks wait for a lull, by their numbers in the order of the calls.
    private var waiting: [Int: TaskSlot] = [:]
    /// The number of the slot that comes next, unless its task no longer waits.
    private var next = 0
    /// The number of slots so far.
    private var count = 0
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

    /// Adds a slot whose task waits for a lull, and returns its number; each gets a lull of its own.
    func add(_ slot: TaskSlot) -> Int {
        let number = count
        waiting[number] = slot
        count += 1
        if worker == nil {
            let worker = ClosureWorker(on: loop) { [weak self] in self?.work($0) ?? .nothing }
            workers.add(worker)
            self.worker = worker
        }
        loop.wantIdle()
        return number
    }

    /// Removes a slot whose task no longer waits.
    func remove(_ number: Int) {
        guard waiting.removeValue(forKey: number) != nil else { return }
        rest()
    }

    private func work(_ lull: borrowing IdleSlot) -> IdleResult {
        defer { rest() }
        while next < count {
            let slot = waiting.removeValue(forKey: next)
            next += 1
            if let slot, slot.run(in: lull) { return .worked }
        }
        return .nothing
    }

    private func rest() {
        guard waiting.isEmpty else { return }
        worker?.cancel()
        worker = nil
    }

    /// Ends all waits when the loop is closed.
    func close() {
        let slots = waiting.sorted { $0.key < $1.key }.map(\.value)
        waiting = [:]
        rest()
        for slot in slots { slot.gate.open() }
    }
}
