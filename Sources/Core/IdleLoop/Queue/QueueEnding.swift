/// The shutdown of a queue: its jobs run until a deadline, and the rest is then cancelled.
///
/// It's notified of each job's end after all callbacks of the job's requests. So jobs cost nothing
/// for it until a queue shuts down.
final class QueueEnding {
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
    private var completions: [(QueueEnding) -> Void] = []

    init(of queue: JobQueue) {
        name = queue.configuration.name
        describe = queue.describe
        loop = queue.loop
        self.queue = queue
        let slots = queue.slots
        left = slots.count
        for slot in slots {
            queue.jobs.value.tell(of: slot) { [self] end in note(slot, end) }
        }
    }

    /// Starts the shutdown, which ends when no job is left or `time` has passed, unless an earlier
    /// end was set.
    func begin(within time: Duration, then completion: @escaping (QueueEnding) -> Void) {
        completions.append(completion)
        guard left > 0 else { return complete() }
        guard time > .zero else { return takeBack() }
        let moment = loop.clock.now.advanced(by: time)
        if let timer {
            guard moment < timer.moment else { return }
            loop.cancel(timer.id)
        }
        let id = loop.schedule(at: moment) { [weak self] in self?.takeBack() }
        timer = (id, moment)
    }

    private func takeBack() {
        queue?.cancelAll()
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
