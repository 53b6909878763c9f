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

    init(of ending: QueueEnding, key: (Int) -> Key?) {
        queue = ending.name
        finished = ending.finished.compactMap(key)
        failed = ending.failed.compactMap(key)
        returned = ending.returned.compactMap(key)
    }
}

extension ShutdownReport: Sendable where Key: Sendable {}
extension ShutdownReport: Equatable where Key: Equatable {}
