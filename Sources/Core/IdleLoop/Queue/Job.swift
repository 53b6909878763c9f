/// The result of a run of a job.
public enum JobProgress: Sendable {
    /// The job is finished.
    case done
    /// The job has more to do, in another slice.
    case again
    /// The job has more to do once ``IdleQueue/resume(_:)`` was called for its key: until then it
    /// keeps its place and isn't run.
    case waiting
    /// The job is stale: it did nothing, and the next one runs in its place.
    case skipped
}

/// The end of a job; each accepted job has exactly one.
public enum JobEnd {
    /// The reason for which a job was dropped.
    public enum DropReason: Equatable, Sendable {
        /// The queue had reached its limit.
        case full
        /// The queue was closed or shutting down before the job was submitted.
        case closed
    }

    /// The job is finished.
    case done
    /// The job was stale.
    case skipped
    /// The job threw this error, in the lull or off the loop.
    case failed(any Error)
    /// The job was cancelled, or its queue was closed or ran out of time while shutting down.
    case cancelled
    /// The queue had no room for the job, or was closed.
    case dropped(DropReason)
}

/// The result of a submission.
public enum Submission: Sendable {
    /// The job waits.
    case queued
    /// The request joined a waiting job of its key.
    case joined
    /// The job of its key is running: if that has more slices, the request joins it; otherwise it
    /// becomes a job of its own, and runs after it.
    case follows
    /// The queue is closed, or full of jobs that are at least as urgent: `onEnd` has been called.
    case dropped
}

/// A name for jobs of about the same cost, by which that cost is learned.
public struct JobKind: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name that the jobs have in common.
    package let name: String

    /// Creates a kind of this name.
    public init(_ name: String) {
        self.name = name
    }

    /// Creates a kind of this name.
    public init(stringLiteral name: String) {
        self.name = name
    }
}

/// The state of a job of an idle queue.
///
/// It's plain numbers in 64 bytes, one cache line, so that it can be read and moved without
/// touching the job's closures.
@usableFromInline
struct Job {
    @usableFromInline typealias Body = (borrowing IdleSlot) throws -> JobProgress

    /// The hash of its key, which its queue keeps.
    let hash: UInt32
    /// The number of its kind, negative if it has none.
    private var kindOrNone: Int32 = -1
    /// The given cost, negative if none was given.
    private var hintOrNone: Int64 = -1
    /// Its priority, rank and number.
    var order: WorkOrder
    /// The time since which it waits: that of its submission, or of the end of its last slice.
    private(set) var waitStart: Instant
    /// The time at which it runs regardless of other work; `distantFuture` if never.
    var expiry = Instant.distantFuture
    /// The limit of the last lull into which it didn't fit; `lullsHeld` is the number of those
    /// lulls.
    var heldBefore = Instant.zero
    var lullsHeld: Int16 = 0
    /// Whether a whole job went first because this one didn't fit.
    var wasPassed = false
    /// Whether it has had a slice and has more: it goes before others of its priority.
    var hasBegun = false
    /// The condition that it waits for.
    var awaited = Awaited.lull

    /// A condition that a job waits for before it runs.
    enum Awaited {
        case lull
        /// The end of its work off the loop.
        case offLoopWork
        /// A lull for a part of its work off the loop, which goes on meanwhile.
        case part
        /// A call of `resume`, or something that its task awaits.
        case resumption
    }

    /// Whether it waits for a lull, rather than for something off the loop.
    var isReady: Bool { awaited == .lull || awaited == .part }

    /// Whether it runs in one go, so that its cost must be expected.
    var isWhole: Bool { awaited == .lull && (kindOrNone >= 0 || hintOrNone >= 0) }

    init(hash: UInt32, order: WorkOrder, submitted: Instant) {
        self.hash = hash
        self.order = order
        waitStart = submitted
    }

    var priority: Priority { order.priority }

    /// Whether it has work off the loop that isn't done.
    private var hasOffLoopWork: Bool { awaited == .offLoopWork || awaited == .part }

    /// The given cost, in nanoseconds.
    var hint: Int64? {
        get { hintOrNone < 0 ? nil : hintOrNone }
        set { hintOrNone = newValue ?? -1 }
    }

    /// The number of its kind.
    var kind: Int32? {
        get { kindOrNone < 0 ? nil : kindOrNone }
        set { kindOrNone = newValue ?? -1 }
    }

    /// Lets it wait from now on, for as long as from its submission.
    @inline(__always)
    mutating func wait(from now: Instant) {
        if expiry < .distantFuture { expiry = expiry.later(by: now.since(waitStart)) }
        waitStart = now
    }

    /// Merges a later request for the same key: takes its priority and rank, its timeout if that is
    /// sooner, and its given cost.
    mutating func join(_ other: Job) {
        order = WorkOrder(
            priority: other.order.priority, rank: other.order.rank, sequence: order.sequence)
        expiry = min(expiry, other.expiry)
        // The cost of work off the loop says nothing about the rest, nor the other way round.
        if hasOffLoopWork == other.hasOffLoopWork {
            hint = other.hint ?? hint
        }
    }
}

/// The closures of a job, and the callbacks of its end.
struct JobParts: ~Copyable {
    /// The job's body; nil until its work off the loop has provided it.
    var body: Job.Body?
    var onEnd: ((JobEnd) -> Void)?
    var offLoopWork: OffLoopWork?
    /// The callbacks of requests that joined it.
    ///
    /// An array, as closures in closures would overflow the stack.
    var othersToTell: [(JobEnd) -> Void] = []

    /// Adds the callbacks of a later request for the same key.
    mutating func join(_ other: consuming JobParts) {
        if let one = other.onEnd { othersToTell.append(one) }
        othersToTell += other.othersToTell
    }

    /// Cancels the job's work off the loop.
    func cancelWork() {
        offLoopWork?.cancel()
    }

    /// Calls all callbacks of the job's end, after its removal.
    func reportEnd(_ end: JobEnd) {
        offLoopWork?.deliverOutput()
        onEnd?(end)
        for other in othersToTell { other(end) }
    }
}

/// A job that is not in a queue: not yet, or no longer.
@usableFromInline
struct DetachedJob: ~Copyable {
    var job: Job
    var parts: JobParts

    mutating func join(_ other: consuming DetachedJob) {
        job.join(other.job)
        parts.join(other.parts)
    }
}

/// The part of a job that runs off the loop, on a worker or as an asynchronous operation.
@usableFromInline
final class OffLoopWork {
    /// A closure by which a pool starts the work in its turn, and calls back when it's done.
    typealias Begin = (WorkOrder, @escaping WorkerCompletion) -> WorkerTaskID

    let then: (any Sendable) -> Job.Body?
    /// A closure that lets its job run in lulls while the work goes on.
    var process: ((@escaping Job.Body) -> Void)?
    private let pool: any OffLoopPool
    private let begin: Begin
    /// The identifier of the work in its pool, from its start to its end.
    private var id: WorkerTaskID?
    /// The output of the work, if it was finished when the job was cancelled.
    private var output: (any Sendable)?

    init(
        pool: any OffLoopPool, then: @escaping (any Sendable) -> Job.Body?,
        begin: @escaping Begin
    ) {
        self.pool = pool
        self.begin = begin
        self.then = then
    }

    /// The time at which the work began; nil if it waits, or if the loop has taken its outcome.
    var start: Instant? { id.flatMap { pool.start(of: $0) } }

    func start(_ order: WorkOrder, _ completion: @escaping WorkerCompletion) {
        id = begin(order, completion)
    }

    func reorder(_ order: WorkOrder) {
        if let id { pool.reorder(id, order) }
    }

    func hasEnded() {
        id = nil
    }

    func cancel() {
        if let id, case .success(let output)? = pool.cancel(id) { self.output = output }
    }

    /// Delivers the output of cancelled work that was finished: the caller may keep it.
    func deliverOutput() {
        if let output { _ = then(output) }
    }
}

/// A pool that runs work off the loop: workers, or asynchronous operations.
protocol OffLoopPool: AnyObject {
    /// Returns the time at which the work began; nil if it waits, or if the loop has taken its
    /// outcome.
    func start(of id: WorkerTaskID) -> Instant?
    /// Changes the order of waiting work.
    func reorder(_ id: WorkerTaskID, _ order: WorkOrder)
    /// Cancels work, and returns its outcome if that is finished and not yet delivered.
    func cancel(_ id: WorkerTaskID) -> WorkerOutcome?
}

extension QueueStatistics {
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
}
