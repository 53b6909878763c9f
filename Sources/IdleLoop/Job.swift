/// What a run of a job says of itself.
public enum JobProgress: Sendable {
    /// It is finished.
    case done
    /// It has more to do, in another slice.
    case again
    /// It found itself stale: it did nothing, and the next one runs in its place.
    case skipped
}

/// How a job came to its end; each accepted job has exactly one.
public enum JobEnd {
    /// Why a job was dropped.
    public enum DropReason: Equatable, Sendable {
        /// The queue held as many jobs as it may, or as much work.
        case full
        /// The queue was closed before the job was handed in.
        case closed
    }

    /// It said that it's done.
    case done
    /// It found itself stale.
    case skipped
    /// It threw this error, in the lull or off the loop.
    case failed(any Error)
    /// It was taken back, or its queue was closed.
    case cancelled
    /// The queue had no room for it.
    case dropped(DropReason)
}

/// What became of a job that was handed in.
public enum Submission: Sendable {
    /// It waits.
    case queued
    /// A job of its key waits already, or runs: that one stands for both.
    case joined
    /// There was no room, and nothing to make room: it has ended as dropped.
    case dropped
    /// There was no room, and the queue takes nothing then: nobody is told but the caller.
    case rejected
}

/// What a queue does with one job more than it has room for.
public enum Overflow: Sendable {
    /// Drops the least urgent, the oldest of those first; never a visible one while a lesser is there.
    case dropLeastUrgent
    /// Drops what has waited longest.
    case dropOldest
    /// Drops what was just handed in.
    case dropNewest
    /// Doesn't take it: the submission says `rejected`, and nothing is called.
    case reject
}

/// A name for jobs that cost about the same, from which their cost is learned.
public struct JobKind: Hashable, Sendable, ExpressibleByStringLiteral {
    /// What the jobs have in common.
    public let name: String

    /// A kind of this name.
    public init(_ name: String) {
        self.name = name
    }

    /// A kind of this name.
    public init(stringLiteral name: String) {
        self.name = name
    }
}

/// A job of an idle queue: what it does, where it stands, and who wants to hear of its end.
@usableFromInline
struct Job {
    @usableFromInline
    typealias Body = (borrowing IdleSlot) throws -> JobProgress

    /// Of its key, which its queue keeps.
    let hash: UInt32
    var urgency: Urgency
    var rank: Int
    let sequence: UInt64
    /// Nil until the job's errand has brought it, and while it runs.
    var body: Body?
    var errand: Errand?
    var onEnd: ((JobEnd) -> Void)?
    /// What it was said to cost.
    var hint: Duration?
    /// The number of its kind.
    var kind: Int?
    /// When it runs regardless.
    var expiry: Instant?
    let submitted: Instant
    var hasRun = false
    var hasArrived = true
    /// Whether another went first because this one didn't fit.
    var wasOvertaken = false
    /// How many whole lulls it has seen that it didn't fit into.
    var lullsHeld = 0

    init(hash: UInt32, urgency: Urgency, rank: Int, sequence: UInt64, submitted: Instant) {
        self.hash = hash
        self.urgency = urgency
        self.rank = rank
        self.sequence = sequence
        self.submitted = submitted
    }

    var order: WorkOrder { .init(urgency: urgency, rank: rank, sequence: sequence) }

    /// Whether it runs in one go, and must be expected to take what it costs.
    var isWhole: Bool { kind != nil || (hint != nil && errand == nil) }

    /// Takes on a later request for the same key: its urgency and rank, what it's said to cost, and
    /// who is to be told.
    mutating func join(_ other: Job) {
        urgency = other.urgency
        rank = other.rank
        hint = other.hint ?? hint
        if let sooner = other.expiry { expiry = min(expiry ?? sooner, sooner) }
        guard let second = other.onEnd else { return }
        guard let first = onEnd else {
            onEnd = second
            return
        }
        onEnd = { end in
            first(end)
            second(end)
        }
    }
}

/// The part of a job that runs off the loop.
@usableFromInline
final class Errand {
    let pool: WorkerPool
    let cost: Duration
    let work: @Sendable () throws -> any Sendable
    let then: (any Sendable) -> Job.Body?
    var ticket: WorkerPool.Ticket?
    /// What the work gave, if it was finished when the job was taken back.
    var output: (any Sendable)?

    init(
        pool: WorkerPool, cost: Duration, work: @escaping @Sendable () throws -> any Sendable,
        then: @escaping (any Sendable) -> Job.Body?
    ) {
        self.pool = pool
        self.cost = cost
        self.work = work
        self.then = then
    }
}
