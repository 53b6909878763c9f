internal import LullLibC

/// The workers of a loop's lulls, of which one works between two polls: the one that has had the
/// least time for its weight.
final class IdleWorkers {
    /// A worker, in the order of calls among equals.
    ///
    /// It counts no reference, which would cost something in each pass.
    @safe private struct Entry {
        let worker: Unmanaged<IdleWorker>
        /// Whether the loop keeps the worker: a queue lives as long as it's referenced, and leaves
        /// before it's deallocated.
        let isKept: Bool
        let order: Int
        let modes: LoopMode
    }

    private struct Table {
        var entries: [Entry] = []
        /// The only worker, if there is exactly one.
        var only: Entry?
        /// The order of several workers, each by the time for which it has worked.
        var turns = FairOrder()
    }

    private let loop: LoopContext
    private let table = ConfinedBox(Table())
    /// The counts of closed queues by name, once counts by name were requested.
    private var closedQueues: [String: QueueStatistics]?

    init(on loop: LoopContext) {
        self.loop = loop
    }

    /// Whether a worker may have something to do.
    var mayWork: Bool {
        table.value.entries.contains { unsafe $0.worker._withUnsafeGuaranteedRef { $0.mayWork } }
    }

    /// All workers, in their order.
    var all: [IdleWorker] { table.value.entries.map { unsafe $0.worker.takeUnretainedValue() } }

    // MARK: - Adding and removing

    /// Adds a worker, which is kept if it's `isKept`; returns false if the loop is closed.
    @discardableResult
    func add(
        _ worker: IdleWorker, order: Int = 0, modes: LoopMode = .all, isKept: Bool = true
    ) -> Bool {
        guard !loop.isClosed else { return false }
        let entry = unsafe Entry(
            worker: isKept ? .passRetained(worker) : .passUnretained(worker), isKept: isKept,
            order: order, modes: modes)
        let index = table.value.entries.firstIndex { $0.order > order }
        table.value.entries.insert(entry, at: index ?? table.value.entries.endIndex)
        worker.others = self
        changed()
        return true
    }

    func remove(_ worker: IdleWorker) {
        if let queue = worker.queueStatistics {
            loop.state.counts.jobs.add(queue.counts)
            closedQueues?[queue.name, default: .init()].add(queue.counts)
        }
        worker.others = nil
        let place = table.value.entries.firstIndex {
            unsafe $0.worker.takeUnretainedValue() === worker
        }
        guard let place else { return }
        let entry = table.value.entries.remove(at: place)
        changed()
        if entry.isKept { unsafe entry.worker.release() }
    }

    private func changed() {
        let entries = table.value.entries
        table.value.only = entries.count == 1 ? entries[0] : nil
    }

    /// Cancels all workers; a queue whose job closes the loop leaves after that job has ended, to
    /// count it.
    func close() {
        for worker in all { worker.cancel() }
    }

    // MARK: - Working

    /// Lets one worker do some work; returns false if none had any.
    func work() -> Bool {
        let mode = loop.state.mode
        if let only = table.value.only {
            guard only.modes.contains(mode) else { return false }
            // Without counting a reference: a queue keeps itself alive while it runs a job.
            return unsafe only.worker._withUnsafeGuaranteedRef { $0.work() } == .worked
        }
        let pass = loop.state.counts.idlePasses
        while loop.mayWork, let worker = next(pass) {
            worker.triedIn = pass
            if work(worker) { return true }
        }
        return false
    }

    /// Returns the worker whose turn it is, of those not tried in this pass.
    private func next(_ pass: Int) -> IdleWorker? {
        var best: IdleWorker?
        var least = Int64.max
        for entry in table.value.entries where entry.modes.contains(loop.state.mode) {
            let worker = unsafe entry.worker.takeUnretainedValue()
            let start = table.value.turns.start(of: worker.account)
            guard worker.triedIn != pass, best == nil || start < least else { continue }
            (best, least) = (worker, start)
        }
        return best
    }

    /// Lets one of several workers work, and charges it with the time.
    private func work(_ worker: IdleWorker) -> Bool {
        let begun = loop.lullStart
        guard worker.work() == .worked else { return false }
        let now = loop.state.lull.fresh ?? loop.clock.now
        loop.state.lull.fresh = now
        let start = table.value.turns.begin(worker.account)
        worker.account.charge(nanoseconds: now.since(begun), from: start)
        return true
    }

    // MARK: - Queues

    /// The counts of all queues so far.
    var jobs: QueueStatistics {
        var sum = loop.state.counts.jobs
        for worker in all {
            if let counts = worker.queueStatistics?.counts { sum.add(counts) }
        }
        return sum
    }

    /// Returns the counts of queues by name, those of equal names added; from the first call on,
    /// they include queues that are closed.
    func queueStatistics() -> [String: QueueStatistics] {
        var sums = closedQueues ?? [:]
        closedQueues = sums
        for worker in all {
            guard let queue = worker.queueStatistics else { continue }
            sums[queue.name, default: .init()].add(queue.counts)
        }
        return sums
    }
}
