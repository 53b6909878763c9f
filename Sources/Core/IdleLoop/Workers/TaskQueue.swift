/// The tasks of an executor: a priority queue of those that wait, those that run, and the outcomes
/// that the loop has not taken yet.
struct TaskQueue<Body, Output>: ~Copyable {
    struct Entry {
        let id: WorkID
        let body: Body
        fileprivate(set) var order: WorkOrder
        fileprivate(set) var start: Instant?
        fileprivate(set) var outcome: Result<Output, any Error>?

        var isRunning: Bool { start != nil && outcome == nil }
    }

    private var heap = IndexedHeap()
    private var entries: [Int: Entry] = [:]
    private(set) var runningCount = 0

    var waitingCount: Int { heap.count }

    /// Returns a task that was added and not removed.
    subscript(id: WorkID) -> Entry? {
        entries[id.index].flatMap { $0.id == id ? $0 : nil }
    }

    mutating func add(_ body: Body, _ id: WorkID, _ order: WorkOrder) {
        heap.insert(order.toRun(), slot: id.index)
        entries[id.index] = Entry(id: id, body: body, order: order)
    }

    mutating func reorder(_ id: WorkID, _ order: WorkOrder) {
        guard self[id] != nil, heap.contains(slot: id.index) else { return }
        entries[id.index]?.order = order
        heap.insert(order.toRun(), slot: id.index)
    }

    /// Takes the most urgent waiting task, and counts it as running.
    mutating func startFirst(at now: Instant) -> Entry? {
        guard let slot = heap.first?.slot else { return nil }
        heap.remove(slot: slot)
        runningCount += 1
        entries[slot]?.start = now
        return entries[slot]
    }

    /// Keeps the outcome of a task that ran; returns false if it has ended or was removed meanwhile.
    mutating func finish(_ id: WorkID, _ outcome: Result<Output, any Error>) -> Bool {
        guard self[id]?.isRunning == true else { return false }
        runningCount -= 1
        entries[id.index]?.outcome = outcome
        return true
    }

    /// Removes a task.
    ///
    /// It is returned, so that it's released after the change: a `deinit` of what it captures may
    /// call back.
    mutating func remove(_ id: WorkID) -> Entry? {
        guard let entry = self[id] else { return nil }
        if entry.isRunning { runningCount -= 1 }
        heap.remove(slot: id.index)
        return entries.removeValue(forKey: id.index)
    }
}
