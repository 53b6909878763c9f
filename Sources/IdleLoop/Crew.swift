/// The name of a piece of work in a pool.
typealias CrewID = SlotTable<CrewCompletion>.ID
/// What a piece of work came to.
typealias CrewOutcome = Result<any Sendable, any Error>
/// What is called on the loop when a piece of work is finished.
typealias CrewCompletion = (CrewOutcome) -> Void

/// Those who do a pool's work: threads, or nobody on virtual time.
protocol Crew: AnyObject {
    /// Has a task done; when it's finished its name is reported, however full the loop's inbox is:
    /// there are no more such names than tasks that were handed in and are done.
    func add(_ task: CrewTask)
    /// Gives a task that waits another place.
    func reorder(_ id: CrewID, _ order: WorkOrder)
    /// Takes a task out, with its outcome if it is finished.
    func remove(_ id: CrewID) -> CrewOutcome?
    /// When a task was begun; nil if it waits, or the loop has taken what came of it.
    func start(of id: CrewID) -> Instant?
    /// Has everybody go home after the task at hand.
    func dismiss()
}

/// A piece of work for a crew.
struct CrewTask: Sendable {
    let id: CrewID
    var order: WorkOrder
    let cost: Duration
    /// Has the loop take its outcome.
    let report: @Sendable (CrewID) -> Void
    let work: @Sendable () throws -> any Sendable
}

/// What a board needs to know of a task.
protocol BoardTask {
    var id: CrewID { get }
    var order: WorkOrder { get }
}

extension CrewTask: BoardTask {}

/// Tasks that wait for their place, the most urgent first; those under way; and what the finished
/// ones came to, until the loop takes it.
struct TaskBoard<Task: BoardTask>: ~Copyable {
    private var heap = IndexedHeap()
    private var waiting: [Int: Task] = [:]
    private var starts: [CrewID: Instant] = [:]
    private var outcomes: [CrewID: (outcome: CrewOutcome, start: Instant?)] = [:]

    var waitingCount: Int { waiting.count }
    var runningCount: Int { starts.count }

    /// When a task was begun that runs, or is finished and waits for the loop to take it.
    func start(of id: CrewID) -> Instant? { starts[id] ?? outcomes[id]?.start }

    func isRunning(_ id: CrewID) -> Bool { starts[id] != nil }

    mutating func add(_ task: Task) {
        heap.insert(task.order.toRun, slot: task.id.index)
        waiting[task.id.index] = task
    }

    mutating func reorder(_ id: CrewID, _ order: WorkOrder) {
        guard waiting[id.index]?.id == id else { return }
        heap.insert(order.toRun, slot: id.index)
    }

    /// Takes the most urgent task that waits, and counts it as running.
    mutating func startFirst(at now: Instant) -> Task? {
        guard let (_, slot) = heap.first, let task = waiting.removeValue(forKey: slot) else {
            return nil
        }
        heap.remove(slot: slot)
        starts[task.id] = now
        return task
    }

    /// Keeps the outcome of a task that ran; false if it was taken out meanwhile.
    mutating func finish(_ id: CrewID, _ outcome: CrewOutcome) -> Bool {
        guard let start = starts.removeValue(forKey: id) else { return false }
        outcomes[id] = (outcome, start)
        return true
    }

    /// Has a task that waits come to nothing.
    mutating func fail(_ id: CrewID, _ error: any Error) {
        _ = remove(id)
        outcomes[id] = (.failure(error), nil)
    }

    /// Takes a task out, with its outcome if it is finished.
    ///
    /// One that waits is given back, to be let go of after the change: what it holds may call as it
    /// goes.
    mutating func remove(_ id: CrewID) -> (outcome: CrewOutcome?, waiting: Task?) {
        var task: Task?
        if waiting[id.index]?.id == id {
            task = waiting.removeValue(forKey: id.index)
            heap.remove(slot: id.index)
        }
        starts[id] = nil
        return (outcomes.removeValue(forKey: id)?.outcome, task)
    }
}
