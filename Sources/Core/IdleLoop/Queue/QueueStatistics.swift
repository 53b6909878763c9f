/// A queue's counts.
///
/// `accepted` is always the sum of `done`, `skipped`, `failed`, `cancelled`, `dropped`, `waiting`
/// and the job that is running, if one is. A request is counted unless it joins a job of its key: when
/// it's made, or, if it follows the running job of its key, when that run is over.
public struct QueueStatistics: Equatable, Sendable {
    /// The number of accepted jobs, including those dropped at once.
    public internal(set) var accepted = 0
    /// The number of requests that joined a job of their key; not included in `accepted`.
    package internal(set) var joined = 0
    /// The number of jobs that were finished.
    public internal(set) var done = 0
    /// The number of jobs that were stale.
    public internal(set) var skipped = 0
    /// The number of jobs that threw.
    public internal(set) var failed = 0
    /// The number of jobs that were cancelled.
    public internal(set) var cancelled = 0
    /// The number of jobs that were dropped, as the queue had no room or was closed.
    public internal(set) var dropped = 0
    /// The number of jobs in the queue now, including those between two slices or off the loop.
    public internal(set) var waiting = 0
    /// The number of jobs that are running now: 0 or 1.
    package internal(set) var running = 0
    /// The number of runs of jobs: one for a whole job, one for each slice of another.
    public internal(set) var slices = 0
    /// The greatest number of jobs that waited at once.
    public internal(set) var longest = 0
    /// The number of runs that made a timer or frame later than its tolerance, since they fitted
    /// into no lull or took longer than expected.
    public internal(set) var overruns = 0
    /// The number of lulls in which a whole job was held back because it didn't fit.
    public internal(set) var heldBack = 0
    /// The number of runs of jobs that had waited past their timeout, or that were deferred for their
    /// queue's `maxDeferral`.
    public internal(set) var timedOut = 0
    /// The total duration of runs.
    package var timeRunning: Duration { .nanoseconds(totalRun) }
    /// The duration of the longest run of a job.
    public var longestJob: Duration { .nanoseconds(longestRun) }
    /// The longest time a job waited before its first run, including its work off the loop.
    ///
    /// For a job that was submitted by a job of the same queue, it's measured from the beginning of
    /// that job's run.
    public var longestWait: Duration { .nanoseconds(longestDelay) }

    // In nanoseconds: these are updated in each pass.
    var totalRun: Int64 = 0
    var longestRun: Int64 = 0
    var longestDelay: Int64 = 0

    /// Creates the counts of an unused queue.
    package init() {}

    /// Whether every accepted job has ended once or is still there: `accepted` is the sum that is said
    /// above.
    ///
    /// True outside the queue's own calls; for assertions and tests.
    public var isConserved: Bool {
        accepted == done + skipped + failed + cancelled + dropped + waiting + running
    }

    /// Counts the end of an accepted job.
    mutating func count(_ end: JobEnd) {
        switch end {
        case .done: done += 1
        case .skipped: skipped += 1
        case .failed: failed += 1
        case .cancelled: cancelled += 1
        case .dropped: dropped += 1
        }
    }

    /// Adds another queue's counts.
    package mutating func add(_ other: QueueStatistics) {
        accepted += other.accepted
        joined += other.joined
        done += other.done
        skipped += other.skipped
        failed += other.failed
        cancelled += other.cancelled
        dropped += other.dropped
        waiting += other.waiting
        running += other.running
        slices += other.slices
        longest = max(longest, other.longest)
        overruns += other.overruns
        heldBack += other.heldBack
        timedOut += other.timedOut
        totalRun += other.totalRun
        longestRun = max(longestRun, other.longestRun)
        longestDelay = max(longestDelay, other.longestDelay)
    }
}
