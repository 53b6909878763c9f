/// How a queue runs its jobs.
public struct QueueConfiguration: Sendable {
    /// How many jobs may wait at once: 65536, as many as posts in an inbox.
    ///
    /// It bounds memory. Where old work loses its worth, as rows do that have left the screen, a
    /// smaller one keeps the queue to what still matters; see ``overflow`` for what becomes of the
    /// rest, and ``QueueStatistics/dropped`` for its count.
    public var limit = 65_536
    /// How much work may wait at once, by what the jobs are said to cost; nil for any amount.
    public var costLimit: Duration?
    /// What happens to one more job than there is room for.
    public var overflow = Overflow.dropLeastUrgent
    /// How long a slice may take; nil lets every job run to its end.
    public var slice: Duration? = .milliseconds(2)
    /// Whether a slice also ends when the loop's next timer or frame is due.
    public var endsSlicesWhenDue = true
    /// How long tiny jobs may go on between two polls; zero polls after each.
    public var batch: Duration = .microseconds(50)
    /// The modes of the loop in which jobs run; in others they wait.
    public var modes = LoopMode.all
    /// The queue's part of the lulls, beside other queues on its loop.
    public var weight = 1
    /// How long jobs may be put off because the loop is never idle.
    ///
    /// After that they run in each pass all the same: one, and if there's a `batch` more, for as long as
    /// that may take or half as long as the pass took (25 ms at most), whichever is longer. Where an
    /// idle loop has held a whole job back for a timer, it may be put off for as long again. Nil waits
    /// for ever.
    public var maxDeferral: Duration?
    /// What the queue is called in traces.
    public var name = "idle queue"

    /// The defaults.
    public init() {}
}
