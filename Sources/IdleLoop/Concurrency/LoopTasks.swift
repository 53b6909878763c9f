/// What a loop keeps for the tasks that live on it.
final class LoopTasks {
    let executor: LoopExecutor
    let home: LoopHome
    /// The jobs that are tasks, by the names of those, from their first slice to their end.
    var jobs: [UInt: AsyncJob] = [:]

    let loop: LoopContext
    private let observers: Observers
    private var order = IndexedHeap()
    private var waiting = SlotTable<TaskSlot>()
    private var sequence: UInt64 = 0
    private var worker: Observer?

    init(of executor: LoopExecutor, on loop: LoopContext, _ observers: Observers) {
        self.executor = executor
        self.loop = loop
        self.observers = observers
        home = LoopHome(on: executor, keepsTasks: loop.clock.isVirtual)
    }

    /// Runs a task up to where it next waits.
    func run(_ job: UnownedJob) {
        let place = unsafe executor.asUnownedSerialExecutor()
        // It's run as what it is: a task whose preference for an executor is another than is said
        // here would be put back in the inbox at each of its calls.
        executor.runTask {
            // On virtual time tasks prefer this executor.
            if loop.clock.isVirtual {
                unsafe job.runSynchronously(
                    isolatedTo: place, taskExecutor: executor.asUnownedTaskExecutor())
            } else {
                unsafe job.runSynchronously(on: place)
            }
        }
    }

    // MARK: - Those who wait for a lull

    /// Has a slot's task be let through in a lull of its own.
    ///
    /// O(log n).
    func add(_ slot: TaskSlot) -> SlotTable<TaskSlot>.ID {
        sequence += 1
        let id = waiting.insert(slot)
        order.insert(HeapOrder(major: sequence, minor: 0), slot: id.index)
        if worker == nil {
            worker = observers.add(
                .beforeIdle, .work { [weak self] lull in self?.work(lull) ?? .nothing })
        } else {
            loop.wantIdle()
        }
        return id
    }

    /// Forgets a slot whose task waits no more, whatever the reason.
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

    /// Ends all waits, when the loop is closed.
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
