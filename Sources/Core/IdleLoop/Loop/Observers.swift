internal import LullLibC

/// Who is told of what a loop is doing, and who works before idle.
final class Observers: ObserverList {
    private let loop: LoopContext
    private let table = ConfinedBox(ObserverTable())
    /// The counts of closed queues by name, once counts by name were requested.
    private var closedQueueStatistics: [String: QueueStatistics]?

    init(on loop: LoopContext) {
        self.loop = loop
    }

    /// Whether there are no observers of idle passes.
    var isIndifferentToIdle: Bool { table.value.isIndifferentToIdle }

    // MARK: - Adding and removing

    func add(
        _ activities: Activity, order: Int = 0, modes: LoopMode = .all, repeats: Bool = true,
        weight: Int = 1, _ body: Observer.Body
    ) -> Observer {
        precondition(!modes.isEmpty, "an observer has a mode in which it's called")
        precondition(weight > 0, "a weight is one or more")
        let observer = Observer(
            of: self, activities: activities, order: order, modes: modes, repeats: repeats,
            weight: weight, body: body)
        if loop.isClosed { observer.detach() } else { table.value.add(observer) }
        if case .queue = body { return observer }
        loop.wantIdle()
        return observer
    }

    /// Adds a queue, which works before idle until it is closed.
    func add(_ queue: JobQueue, order: Int) {
        let configuration = queue.configuration
        let observer = add(
            .beforeIdle, order: order, modes: configuration.modes, weight: configuration.weight,
            .queue(.init(queue)))
        guard observer.isActive else { return }
        let name = configuration.name.isEmpty ? freeName : configuration.name
        queue.open(as: name, leave: observer.cancel)
    }

    /// A name that no other queue has, for one without a name.
    private var freeName: String {
        let taken = Set(queues.map(\.configuration.name))
        var (name, number) = ("idle queue", 1)
        while taken.contains(name) {
            number += 1
            name = "idle queue \(number)"
        }
        return name
    }

    func remove(_ observer: Observer) {
        if let queue = observer.queue {
            loop.counts.jobs.add(queue.statistics)
            closedQueueStatistics?[queue.configuration.name, default: .init()].add(queue.statistics)
        }
        table.value.remove(observer)
    }

    /// Closes all queues, and cancels all observers.
    func close() {
        for queue in queues { queue.close() }
        // A queue whose job closes the loop leaves after that job has ended, to count it.
        for observer in table.value.all where observer.queue?.isInsideRun != true {
            observer.cancel()
        }
    }

    // MARK: - Queues

    /// The queues among the workers.
    var queues: [JobQueue] { table.value.queues }

    /// Returns the counts of queues by name, those of equal names added; from the first call on,
    /// they include queues that are closed.
    func queueStatistics() -> [String: QueueStatistics] {
        if closedQueueStatistics == nil { closedQueueStatistics = [:] }
        return queues.reduce(into: closedQueueStatistics ?? [:]) { sums, queue in
            sums[queue.configuration.name, default: .init()].add(queue.statistics)
        }
    }

    // MARK: - The turn

    func notify(_ activity: Activity) {
        guard table.value.noted.contains(activity) else { return }
        for observer in table.value.list(for: activity)
        where observer.isActive && observer.modes.contains(loop.status.mode) {
            guard case .note(let body)? = observer.body else { continue }
            if !observer.repeats { observer.cancel() }
            body(activity)
        }
        loop.lull.fresh = nil  // observers may have taken time
    }

    /// Calls observers in order, then lets one worker do some work.
    func workBeforeIdle() -> Bool {
        loop.counts.idlePasses += 1
        notify(.beforeIdle)
        guard loop.mayWork else { return false }
        loop.lull.start = loop.lull.fresh
        loop.lull.fresh = nil
        guard letOneWork() else { return false }
        loop.lull.worked &+= 1
        return true
    }

    private func letOneWork() -> Bool {
        let mode = loop.status.mode
        if let only = table.value.onlyQueue {
            return only.modes.contains(mode) && only.work() == .worked
        }
        let slot = IdleSlot(on: loop)
        if let only = table.value.onlyWork {
            return only.modes.contains(mode) && only.body(slot) == .worked
        }
        let pass = loop.counts.idlePasses
        while let worker = table.value.nextWorker(in: loop.status.mode, pass: pass), loop.mayWork {
            worker.triedIn = pass
            if work(worker, in: slot) { return true }
        }
        return false
    }

    /// Lets one of several workers work, and counts the time it used.
    private func work(_ worker: Observer, in slot: borrowing IdleSlot) -> Bool {
        let start = loop.lullStart
        guard worker.work(in: slot) == .worked else {
            worker.isResting = true
            // It may have taken time all the same.
            if worker.queue == nil { loop.lull.start = nil }
            return false
        }
        // A worker that rested doesn't get that time back.
        if worker.isResting { worker.share = max(worker.share, table.value.present) }
        worker.isResting = false
        table.value.present = worker.share
        let now = loop.lull.fresh ?? loop.clock.now
        loop.lull.fresh = now
        let used = max(1000, start.duration(to: now).wholeNanoseconds)
        worker.share &+= used / Int64(worker.weight)
        return true
    }
}
