/// A queue's counts.
///
/// `accepted` is always the sum of `done`, `skipped`, `failed`, `cancelled`, `dropped`, `waiting` and
/// `running`.
/// Each request is counted once, as accepted, joined or rejected: when it's made, or, if it follows the
/// job of its key that is in its own call, when that call is over.
public struct QueueStatistics: Equatable, Sendable {
    /// Jobs taken in, those dropped at once too.
    public internal(set) var accepted = 0
    /// Requests that joined a job of their key; not counted under accepted.
    public internal(set) var joined = 0
    /// Requests that a full queue didn't take; not counted under accepted.
    public internal(set) var rejected = 0
    /// Jobs that were finished.
    public internal(set) var done = 0
    /// Jobs that found themselves stale.
    public internal(set) var skipped = 0
    /// Jobs that threw.
    public internal(set) var failed = 0
    /// Jobs taken back.
    public internal(set) var cancelled = 0
    /// Jobs for which there was no room.
    public internal(set) var dropped = 0
    /// Jobs in the queue now, with those between two slices or off the loop.
    public internal(set) var waiting = 0
    /// Jobs inside their own call now: 0 or 1.
    public internal(set) var running = 0
    /// Runs of jobs: one for a whole job, one for each slice of another.
    public internal(set) var slices = 0
    /// The most that ever waited at once.
    public internal(set) var longest = 0
    /// Runs that were started though they fitted into no lull, or that lasted longer than they were
    /// expected to, so that a timer or frame was later than its tolerance.
    public internal(set) var overruns = 0
    /// Times a whole job was held back because it didn't fit, each counted once a lull.
    public internal(set) var heldBack = 0
    /// Jobs that ran because they had waited past their timeout.
    public internal(set) var timedOut = 0
    /// Runs that came because the loop was never idle for as long as the queue may be put off.
    public internal(set) var deferred = 0
    /// The longest run of a job.
    public var longestJob: Duration { .nanoseconds(longestRun) }
    /// The longest a job waited before it first ran, with the time its work took off the loop.
    ///
    /// One that was handed in by a job of the same queue waits from the beginning of that one's run.
    public var longestWait: Duration { .nanoseconds(longestDelay) }

    // In nanoseconds: these are kept in each pass.
    var longestRun: Int64 = 0
    var longestDelay: Int64 = 0

    /// The counts of a queue that was never used.
    package init() {}

    /// Whether every accepted job has ended once or is still there.
    package var isConserved: Bool {
        accepted == done + skipped + failed + cancelled + dropped + waiting + running
    }

    /// Adds another queue's counts.
    package mutating func add(_ other: QueueStatistics) {
        accepted += other.accepted
        joined += other.joined
        rejected += other.rejected
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
        deferred += other.deferred
        longestRun = max(longestRun, other.longestRun)
        longestDelay = max(longestDelay, other.longestDelay)
    }
}
