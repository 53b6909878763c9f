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
        /// The queue was closed, or was shutting down, before the job was handed in.
        case closed
    }

    /// It said that it's done.
    case done
    /// It found itself stale.
    case skipped
    /// It threw this error, in the lull or off the loop.
    case failed(any Error)
    /// It was taken back, or its queue was closed or had no more time before its end.
    case cancelled
    /// The queue had no room for it.
    case dropped(DropReason)
}

/// What became of a job that was handed in.
public enum Submission: Sendable {
    /// It waits.
    case queued
    /// A job of its key waits already: that one stands for both.
    case joined
    /// The job of its key is in its own call: if that has more slices, the request joins it; if not, it
    /// is a job of its own, and runs after it.
    case follows
    /// There was no room, and nothing to make room, or the queue is closed: its end has been told.
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
    package let name: String

    /// A kind of this name.
    public init(_ name: String) {
        self.name = name
    }

    /// A kind of this name.
    public init(stringLiteral name: String) {
        self.name = name
    }
}

/// A job of an idle queue: where it stands, and what is known of it.
///
/// Plain numbers in 64 bytes, so that it can be looked at and moved without touching what it does,
/// and lies in one line of the processor's cache.
@usableFromInline
struct Job {
    @usableFromInline typealias Body = (borrowing IdleSlot) throws -> JobProgress

    /// Of its key, which its queue keeps.
    let hash: UInt32
    /// The number of its kind, negative if it's of none.
    private var kindOrNone: Int32 = -1
    /// What it was said to cost, negative if nothing was said.
    private var hintOrNone: Int64 = -1
    /// Its priority, rank and number.
    var order: WorkOrder
    let submitted: Instant
    /// When it runs regardless; `distantFuture` if never.
    var expiry = Instant.distantFuture
    /// How many lulls it has seen that it didn't fit into, and the limit of the last of them.
    var heldBefore = Instant.zero
    var lullsHeld: Int16 = 0
    /// Whether another went first because this one didn't fit.
    var wasOvertaken = false
    /// Whether it went first where another didn't fit, which is then tried before its next slice.
    var wentPast = false
    var hasRun = false
    /// What it waits for.
    var awaited = Awaited.lull

    /// What a job waits for before it runs.
    enum Awaited {
        case lull
        /// Its work off the loop.
        case errand
        /// Something that its task awaits.
        case task
    }

    /// Whether it waits for a lull, rather than for something off the loop.
    var hasArrived: Bool { awaited == .lull }

    /// Whether it runs in one go, and must be expected to take what it costs.
    var isWhole: Bool { hasArrived && (kindOrNone >= 0 || hintOrNone >= 0) }

    init(hash: UInt32, order: WorkOrder, submitted: Instant) {
        self.hash = hash
        self.order = order
        self.submitted = submitted
    }

    var priority: Priority { order.priority }

    /// What it was said to cost, in nanoseconds.
    var hint: Int64? {
        get { hintOrNone < 0 ? nil : hintOrNone }
        set { hintOrNone = newValue ?? -1 }
    }

    /// The number of its kind.
    var kind: Int32? {
        get { kindOrNone < 0 ? nil : kindOrNone }
        set { kindOrNone = newValue ?? -1 }
    }

    /// Takes on a later request for the same key: its priority and rank, its timeout if that is
    /// sooner, and what it's said to cost.
    mutating func join(_ other: Job) {
        order = WorkOrder(
            priority: other.order.priority, rank: other.order.rank, sequence: order.sequence)
        expiry = min(expiry, other.expiry)
        // What work costs off the loop says nothing of the rest, nor the other way round.
        if (awaited == .errand) == (other.awaited == .errand) { hint = other.hint ?? hint }
    }
}

/// What a job does, and who wants to hear of its end.
struct JobParts: ~Copyable {
    /// Nil until the job's errand has brought it.
    var body: Job.Body?
    var onEnd: ((JobEnd) -> Void)?
    var errand: Errand?
    /// Those whose requests joined it.
    ///
    /// An array, as closures in closures would overflow the stack.
    var othersToTell: [(JobEnd) -> Void] = []

    /// Takes on who is to be told of a later request for the same key.
    mutating func join(_ other: consuming JobParts) {
        if let one = other.onEnd { othersToTell.append(one) }
        othersToTell += other.othersToTell
    }

    /// Calls back all who want to hear of its end.
    func tell(_ end: JobEnd) {
        onEnd?(end)
        for other in othersToTell { other(end) }
    }
}

/// A job that is not in a queue: not yet, or no more.
@usableFromInline
struct LooseJob: ~Copyable {
    var job: Job
    var parts: JobParts

    mutating func join(_ other: consuming LooseJob) {
        job.join(other.job)
        parts.join(other.parts)
    }
}

/// The part of a job that runs off the loop, or goes on by itself.
@usableFromInline
final class Errand {
    /// Has a pool begin it in its turn, and call back when it's done.
    typealias Begin = (WorkOrder, @escaping CrewCompletion) -> ErrandTicket

    let pool: any ErrandPool
    let begin: Begin
    let then: (any Sendable) -> Job.Body?
    var ticket: ErrandTicket?
    /// What the work gave, if it was finished when the job was taken back.
    var output: (any Sendable)?

    init(
        pool: any ErrandPool, then: @escaping (any Sendable) -> Job.Body?,
        begin: @escaping Begin
    ) {
        self.pool = pool
        self.begin = begin
        self.then = then
    }
}

/// Those who see to errands: workers, or operations that go on by themselves.
protocol ErrandPool: AnyObject {
    /// When an errand was begun; nil if it waits, or the loop has taken what came of it.
    func start(of ticket: ErrandTicket) -> Instant?
    /// Gives an errand that waits another place.
    func reorder(_ ticket: ErrandTicket, _ order: WorkOrder)
    /// Takes an errand back, with its outcome if that is there and wasn't told.
    func cancel(_ ticket: ErrandTicket) -> CrewOutcome?
}

/// The name of an errand in its pool.
struct ErrandTicket: Hashable {
    let id: CrewID
}
