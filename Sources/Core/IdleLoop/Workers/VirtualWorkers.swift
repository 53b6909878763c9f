/// A simulated thread pool that runs its work inline and delivers the outcome when its cost has
/// passed.
final class VirtualWorkers: Workers {
    private let width: Int
    private let time: VirtualTime
    private var taskQueue = TaskQueue<WorkerTask>()
    /// The outcomes of tasks whose cost hasn't passed yet.
    private var outcomes: [WorkerTaskID: WorkerOutcome] = [:]
    private var willStart = false

    init(width: Int, time: VirtualTime) {
        self.width = width
        self.time = time
    }

    func add(_ task: WorkerTask) {
        taskQueue.add(task)
        startSoon()
    }

    func reorder(_ id: WorkerTaskID, _ order: WorkOrder) {
        taskQueue.reorder(id, order)
    }

    func remove(_ id: WorkerTaskID) -> WorkerOutcome? {
        let wasRunning = taskQueue.isRunning(id)
        let outcome = taskQueue.remove(id).outcome
        outcomes[id] = nil
        if wasRunning { startSoon() }
        return outcome
    }

    func start(of id: WorkerTaskID) -> Instant? { taskQueue.start(of: id) }

    func dismiss() {
        taskQueue = TaskQueue<WorkerTask>()
    }

    /// Fills free places at the current time, but after the current callback: it may cancel,
    /// reprioritize and add tasks, and the places go by the resulting order.
    private func startSoon() {
        guard !willStart else { return }
        willStart = true
        time.at(time.now) { [weak self] in self?.start() }
    }

    private func start() {
        willStart = false
        while taskQueue.runningCount < width, let task = taskQueue.startFirst(at: time.now) {
            // Kept here rather than in the scripted event, so that the outcome of a cancelled task
            // is released at once.
            outcomes[task.id] = WorkerOutcome { try task.work() }
            time.at(time.now.advanced(by: task.cost)) {
                [weak self, id = task.id, report = task.report] in
                guard let self, let outcome = outcomes.removeValue(forKey: id),
                    taskQueue.finish(id, outcome)
                else { return }
                report(id)
                start()
            }
        }
    }
}
