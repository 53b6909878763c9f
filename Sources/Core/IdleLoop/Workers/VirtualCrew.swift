/// A simulated thread pool that runs its work inline and delivers the outcome when its cost has
/// passed.
final class VirtualCrew: Crew {
    private let width: Int
    private let time: VirtualTime
    private var board = TaskBoard<CrewTask>()
    /// The outcomes of tasks whose cost hasn't passed yet.
    private var outcomes: [CrewID: CrewOutcome] = [:]
    private var willStart = false

    init(width: Int, time: VirtualTime) {
        self.width = width
        self.time = time
    }

    func add(_ task: CrewTask) {
        board.add(task)
        startSoon()
    }

    func reorder(_ id: CrewID, _ order: WorkOrder) {
        board.reorder(id, order)
    }

    func remove(_ id: CrewID) -> CrewOutcome? {
        let wasRunning = board.isRunning(id)
        let outcome = board.remove(id).outcome
        outcomes[id] = nil
        if wasRunning { startSoon() }
        return outcome
    }

    func start(of id: CrewID) -> Instant? { board.start(of: id) }

    func dismiss() {
        board = TaskBoard<CrewTask>()
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
        while board.runningCount < width, let task = board.startFirst(at: time.now) {
            // Kept here rather than in the scripted event, so that the outcome of a cancelled task
            // is released at once.
            outcomes[task.id] = CrewOutcome { try task.work() }
            time.at(time.now.advanced(by: task.cost)) {
                [weak self, id = task.id, report = task.report] in
                guard let self, let outcome = outcomes.removeValue(forKey: id),
                    board.finish(id, outcome)
                else { return }
                report(id)
                start()
            }
        }
    }
}
