internal import LullLibC

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

    init(of shutdown: QueueShutdown, key: (Any) -> Key?) {
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
    let name: String
    /// The time at which the rest is cancelled.
    var deadline = Instant.distantFuture
    var completions: [(QueueShutdown) -> Void] = []
    /// The keys of jobs by their ends.
    private(set) var finished: [Any] = []
    private(set) var failed: [Any] = []
    private(set) var returned: [Any] = []
    /// The number of jobs that have not ended.
    private(set) var left: Int
    private let keys: (Int) -> Any?

    init(_ name: String, keys: @escaping (Int) -> Any?, count: Int) {
        self.name = name
        self.keys = keys
        left = count
    }

    /// Notes the end of the job in a slot.
    func note(_ slot: Int, _ end: JobEnd) {
        guard let key = keys(slot) else { preconditionFailure("a job has a key") }
        switch end {
        case .done, .skipped: finished.append(key)
        case .failed: failed.append(key)
        case .cancelled, .dropped: returned.append(key)
        }
        left -= 1
    }
}
