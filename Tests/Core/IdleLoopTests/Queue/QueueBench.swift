import IdleLoop

/// A queue on virtual time, with a log of what its jobs did and how they ended.
final class QueueBench {
    let loop: MainLoop
    let time: VirtualTime
    let queue: IdleQueue<String>
    var log: [String] = []
    /// The token of the job that was handed in last.
    private(set) var token: IdleJob?
    /// What is done when a job of this key ends next, after that was noted.
    var afterEnd: [String: () -> Void] = [:]

    /// A queue that polls after each job, otherwise as `configure` has it.
    init(_ configure: (inout QueueConfiguration) -> Void = { _ in }) throws {
        (loop, time) = try virtualLoop()
        var configuration = QueueConfiguration()
        configuration.batch = .zero
        configure(&configuration)
        queue = IdleQueue(on: loop, configuration: configuration)
    }

    /// Hands in a job that takes `taking`, and does `body` in its run.
    ///
    /// Its cost is only declared where it's said.
    @discardableResult
    func submit(
        _ key: String, _ priority: Priority = .normal, rank: Int = 0, cost: Duration? = nil,
        kind: WorkKind? = nil, timeout: Duration? = nil, taking: Duration = .zero,
        _ body: @escaping () throws -> JobProgress = { .done }
    ) -> Submission {
        defer { queue.checkInvariants() }
        token = queue.submit(
            key, priority: priority, rank: rank, cost: cost, kind: kind, timeout: timeout,
            onEnd: { self.note(key, $0) }
        ) { slot in
            self.note("\(key) runs")
            self.time.charge(taking)
            return try body()
        }
        return token?.submission ?? .dropped
    }

    /// Hands in a job of so many slices, each of which ends when its slot says so.
    func submit(_ key: String, _ priority: Priority = .normal, slices: Int) {
        var left = slices
        queue.submit(key, priority: priority, onEnd: { self.note(key, $0) }) { slot in
            self.note("\(key) runs")
            self.time.charge(slot.now.duration(to: slot.sliceEnd))
            left -= 1
            return left == 0 ? .done : .again
        }
        queue.checkInvariants()
    }

    func note(_ text: String) { log.append(text) }

    private func note(_ key: String, _ end: JobEnd) {
        note("\(key) \(end.word)")
        queue.checkInvariants()
        afterEnd.removeValue(forKey: key)?()
    }

    func run() throws {
        try loop.run()
        queue.checkInvariants()
    }

    /// The log without the runs.
    var ends: [String] { log.filter { !$0.hasSuffix(" runs") } }

    /// The keys of the jobs that ran, in their order.
    var runs: [String] {
        log.filter { $0.hasSuffix(" runs") }.map { String($0.dropLast(5)) }
    }
}

extension JobEnd {
    /// The end in a word, for logs.
    var word: String {
        switch self {
        case .done: "done"
        case .skipped: "skipped"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .dropped(.full): "dropped"
        case .dropped(.closed): "came late"
        }
    }
}
