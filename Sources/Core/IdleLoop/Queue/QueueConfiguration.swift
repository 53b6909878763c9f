internal import LullLibC

/// The configuration of a queue.
public struct QueueConfiguration: Sendable {
    /// The maximum number of waiting jobs: 65536, the same as of posts in an inbox.
    ///
    /// It limits memory. Where old work loses its value, as that of rows which have left the
    /// screen, a smaller limit keeps the queue to work that still matters. A full queue drops the
    /// least urgent job, the oldest of those first, and counts it in ``QueueStatistics/dropped``.
    /// Who would rather wait asks ``IdleQueue/hasRoom(for:)`` first.
    public var limit = 65_536
    /// The maximum duration of a slice; nil lets every job run to its end.
    public var slice: Duration? = .milliseconds(2)
    /// Whether a slice also ends when the loop's next timer or frame is due.
    package var endsSlicesWhenDue = true
    /// The time for which tiny jobs run between two polls; zero polls after each.
    public var batch: Duration = .microseconds(50)
    /// The modes of the loop in which jobs run; in others they wait.
    public var modes = LoopMode.all
    /// The number of lanes for jobs that may run anywhere: threads that work when a processor would be
    /// idle.
    public var lanes = LaneLimit.automatic
    /// The queue's weight when several queues share the lulls of a loop.
    public var weight = 1
    /// The time for which jobs are deferred at most while the loop is never idle.
    ///
    /// After that, deferred jobs run in each pass: one job, and with a `batch` more of them, for
    /// the duration of the batch or half the duration of the pass (25 ms at most), whichever is
    /// longer. A whole job that an idle loop holds back for a timer may be deferred until that is
    /// due. Nil defers without limit.
    public var maxDeferral: Duration?
    /// The name of the queue in statistics.
    ///
    /// Queues of one name are counted together. A queue without a name gets one that no other queue
    /// of its loop has: "idle queue", "idle queue 2" and so on.
    public var name = ""

    /// Creates a configuration with the defaults.
    public init() {}
}

/// The number of lanes of a queue: threads that work when a processor would be idle.
public struct LaneLimit: Hashable, Sendable {
    /// As many as the process may use processors, by its affinity and the quotas of its control groups,
    /// and none where that is one; on virtual time, none.
    public static let automatic = LaneLimit(most: nil)
    /// None: all jobs run in the loop's lulls.
    public static let none = LaneLimit(most: 0)

    /// The greatest number; nil for no limit.
    let most: Int?

    /// As many as there are processors, but not more than a number; on virtual time, that number.
    ///
    /// There are 64 at most. Traps if the number is negative.
    public static func atMost(_ number: Int) -> LaneLimit {
        precondition(number >= 0, "the number of lanes is zero or more")
        return LaneLimit(most: number)
    }
}
