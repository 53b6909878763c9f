/// The ends of the jobs that a queue held when it was shut down; each job is in one of the lists.
public struct ShutdownReport<Key> {
    /// The queue's name.
    public let queue: String
    /// The keys of the jobs that were done or stale, in the order in which they ended.
    public let finished: [Key]
    /// The keys of the jobs that threw.
    public let failed: [Key]
    /// The keys of the jobs that were cancelled, by the deadline or by another call meanwhile.
    public let returned: [Key]

    init(of shutdown: QueueShutdown, key: (Int) -> Key?) {
        queue = shutdown.name
        finished = shutdown.finished.compactMap(key)
        failed = shutdown.failed.compactMap(key)
        returned = shutdown.returned.compactMap(key)
    }
}

extension ShutdownReport: Sendable where Key: Sendable {}
extension ShutdownReport: Equatable where Key: Equatable {}

/// The shutdown of a queue: its jobs run until a deadline, and the rest is then cancelled.
///
/// It's notified of each job's end after all callbacks of the job's requests. So jobs cost nothing
/// for it until a queue shuts down.
final class QueueShutdown {
    /// The queue's name.
    let name: String
    /// A closure that returns the description of a slot's key.
    let describe: (Int) -> String
    /// The slots of jobs by their ends; these slots aren't used again.
    private(set) var finished: [Int] = []
    private(set) var failed: [Int] = []
    private(set) var returned: [Int] = []

    private let loop: LoopContext
    private weak var queue: JobQueue?
    private var left: Int
    private var timer: (id: TimerTable.ID, moment: Instant)?
    private var completions: [(QueueShutdown) -> Void] = []

    init(of queue: JobQueue) {
        name = queue.configuration.name
        describe = queue.jobs.keys.descriptions
        loop = queue.loop
        self.queue = queue
        let slots = queue.jobs.slots
        left = slots.count
        for slot in slots {
            queue.jobs.whenEnded(slot) { [self] end in note(slot, end) }
        }
    }

    /// Starts the shutdown, which ends when no job is left or `time` has passed, unless an earlier
    /// end was set.
    func begin(within time: Duration, then completion: @escaping (QueueShutdown) -> Void) {
        completions.append(completion)
        guard left > 0 else { return complete() }
        guard time > .zero else { return cancelRest() }
        let moment = loop.clock.now.advanced(by: time)
        if let timer {
            guard moment < timer.moment else { return }
            loop.cancel(timer.id)
        }
        let id = loop.schedule(at: moment) { [weak self] in self?.cancelRest() }
        timer = (id, moment)
    }

    private func cancelRest() {
        queue?.jobs.cancelAll()
    }

    private func note(_ slot: Int, _ end: JobEnd) {
        switch end {
        case .done, .skipped: finished.append(slot)
        case .failed: failed.append(slot)
        case .cancelled, .dropped: returned.append(slot)
        }
        left -= 1
        if left == 0 { complete() }
    }

    private func complete() {
        if let timer { loop.cancel(timer.id) }
        timer = nil
        queue?.close()
        let completions = completions
        self.completions = []
        for completion in completions { completion(self) }
        queue?.shutDownEnded()
    }
}
