/// What became of the jobs that a queue held when it was shut down, each in one of the lists.
public struct ShutdownReport<Key> {
    /// The queue's name.
    public let queue: String
    /// Those that were done, or found themselves stale, in the order in which they ended.
    public let finished: [Key]
    /// Those that threw.
    public let failed: [Key]
    /// Those that were taken back, by the deadline or by whoever else did so meanwhile.
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
