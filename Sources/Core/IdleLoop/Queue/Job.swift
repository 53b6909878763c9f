/// The state of a job of an idle queue.
///
/// It's plain numbers in 64 bytes, one cache line, so that it can be read and moved without
/// touching the job's closures.
@usableFromInline
struct Job {
    @usableFromInline typealias Body = (borrowing IdleSlot) throws -> JobProgress

    /// A condition that a job waits for before it runs.
    enum Awaited {
        case lull
        /// The end of its work off the loop.
        case offLoopWork
        /// A lull for a part of its work off the loop, which goes on meanwhile.
        case part
        /// A call of `resume`, or something that its task awaits.
        case resumption
        /// The return of its run, which a lane has or may take.
        case lane
    }

    /// The hash of its key, which its queue keeps.
    let hash: UInt32
    /// The number of lulls in which it was held back.
    var lullsHeld: UInt8 = 0
    /// Whether it has had a slice and has more: it goes before others of its priority.
    var hasBegun = false
    /// The condition that it waits for.
    var awaited = Awaited.lull
    /// Whether lanes may run what comes next.
    var isAnywhere = false
    /// Its priority, rank and number.
    var order: WorkOrder
    /// The time since which it waits: that of its submission, or of the end of its last slice.
    private(set) var waitStart: Instant
    /// The time at which it runs regardless of other work; `distantFuture` if never.
    var expiry = Instant.distantFuture
    /// What tells the cost of a run; nil if it runs in slices, and stops when its slice ends.
    var kind: WorkKind?

    init(hash: UInt32, order: WorkOrder, submitted: Instant) {
        self.hash = hash
        self.order = order
        waitStart = submitted
    }

    /// Whether it waits for a lull, rather than for something off the loop.
    var isReady: Bool { awaited == .lull || awaited == .part }

    /// Whether it has work off the loop that isn't done.
    private var hasOffLoopWork: Bool { awaited == .offLoopWork || awaited == .part }

    /// Whether it runs in one go, so that its cost must be expected.
    var isWhole: Bool { awaited == .lull && kind != nil }

    /// Lets it wait from now on, for as long as from its submission.
    @inline(__always)
    mutating func wait(from now: Instant) {
        if expiry < .distantFuture { expiry = expiry.later(by: now.since(waitStart)) }
        waitStart = now
    }

    /// Merges a later request for the same key: takes its priority and rank, its timeout if that is
    /// sooner, and its cost.
    mutating func join(_ other: Job) {
        order = WorkOrder(
            priority: other.order.priority, rank: other.order.rank, sequence: order.sequence)
        expiry = min(expiry, other.expiry)
        // What is requested may be another part of the work.
        if let kind = other.kind, hasOffLoopWork == other.hasOffLoopWork { self.kind = kind }
    }
}

/// The closures of a job, and the callbacks of its end.
struct JobParts: ~Copyable {
    /// The part that runs on the loop; nil until the job's work off the loop has provided it, and for a
    /// job of which all may run anywhere.
    var body: Job.Body?
    var onEnd: ((JobEnd) -> Void)?
    var offLoopWork: OffLoopWork?
    /// The run that lanes may take: all of the job, or a part until it's committed.
    var laneRun: LaneRun?
    /// The callbacks of requests that joined it.
    ///
    /// An array, as closures in closures would overflow the stack.
    var othersToTell: [(JobEnd) -> Void] = []

    /// Adds the callbacks of a later request for the same key.
    mutating func join(_ other: consuming JobParts) {
        if let one = other.onEnd { othersToTell.append(one) }
        othersToTell += other.othersToTell
    }
}

/// A job that is not in a queue: not yet, or no longer.
@usableFromInline
struct DetachedJob: ~Copyable {
    var job: Job
    var parts: JobParts

    @usableFromInline var hash: UInt32 { job.hash }

    mutating func join(_ other: consuming DetachedJob) {
        job.join(other.job)
        parts.join(other.parts)
    }
}

/// A job that has ended, and of whose end nobody has been told.
struct EndedJob: ~Copyable {
    /// The slot that it had; nil if that is another job's of its key now, or it had none.
    let slot: Int?
    let parts: JobParts
    let end: JobEnd

    /// Calls all callbacks of the job's end.
    func report() {
        parts.offLoopWork?.deliverOutput()
        parts.onEnd?(end)
        for other in parts.othersToTell { other(end) }
    }
}
