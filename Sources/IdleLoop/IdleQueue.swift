/// A bounded queue of jobs that run only while its loop has nothing better to do.
///
/// The most urgent runs first. Between two jobs the loop polls, so that a ready event waits for at
/// most one job, one slice of a long one, or 50 µs of tiny ones:
///
/// ```swift
/// let queue = IdleQueue<String>(on: loop)
/// queue.submit("thumbnail 7", urgency: .visible) { slot in
///     while !decoder.isFinished, !slot.isOver { decoder.decodeSomeRows() }
///     return decoder.isFinished ? .done : .again
/// }
/// ```
///
/// A job that can't stop in the middle says what it costs, or what kind it is, so that the cost can
/// be learned; it is held back where it would make a frame or a timer later than its tolerance:
///
/// ```swift
/// queue.submit("page 3", cost: .milliseconds(4)) { _ in render(3); return .done }
/// queue.submit("page 4", kind: "page") { _ in render(4); return .done }
/// ```
///
/// A key is in the queue once: asking again joins. When the queue is full, the least urgent job is
/// dropped, the oldest of those first, and told so. An empty queue costs nothing: no timer, no
/// wake-up. Several queues on one loop share its lulls by their weights.
public final class IdleQueue<Key: Hashable> {
    /// A job's work; it is called in a lull and says whether it is done.
    public typealias Body = (borrowing IdleSlot) throws -> JobProgress

    /// How a queue runs its jobs.
    public struct Configuration: Sendable {
        /// How many jobs may wait at once.
        public var limit = 30
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
        /// How long jobs may be put off because the loop is never idle; after that one runs in each
        /// pass all the same. Nil waits for ever.
        public var maxDeferral: Duration?
        /// What the queue is called in traces.
        public var name = "idle queue"

        /// The defaults.
        public init() {}
    }

    /// How this queue runs its jobs.
    public let configuration: Configuration
    /// The queue's counts.
    public internal(set) var statistics = QueueStatistics()

    let loop: MainLoop
    var observer: Observer?
    var jobs: JobTable<Key>
    var costs = CostBook()
    var sequence: UInt64 = 0

    /// Whether the job that runs was cancelled meanwhile.
    var isRunningCancelled = false
    /// The running job's key, asked for again by itself: it joins if there are more slices.
    var successor: Job<Key>?

    /// The limit of the lull that jobs were last fitted into, and the room that the last lulls had.
    var lastLimit = Instant.distantFuture
    var rooms = LullRooms()
    /// The lull in which a job of unknown cost was tried.
    var probedIn = -1
    /// Armed for the earliest expiry, for the end of the deferral, and for the end of a frame that is
    /// expected and may not come.
    var expiryTimer: (id: TimerID, moment: Instant)?
    var deferralTimer: TimerID?
    var retryTimer: TimerID?
    var lastWorked = Instant.zero

    /// A queue on `loop`, whose jobs run before idle at the given place among other observers.
    public init(
        on loop: MainLoop, configuration: Configuration = .init(), order: Int = 1_000_000
    ) {
        precondition(configuration.limit > 0, "an idle queue holds at least one job")
        precondition(
            configuration.costLimit.map { $0 > .zero } ?? true,
            "an idle queue holds some work at least")
        precondition(
            configuration.slice.map { $0 > .zero } ?? true, "a slice is longer than zero")
        precondition(
            configuration.maxDeferral.map { $0 > .zero } ?? true,
            "jobs are put off for longer than zero")
        self.configuration = configuration
        self.loop = loop
        jobs = JobTable(dropsLeastUrgent: configuration.overflow == .dropLeastUrgent)
        observer = loop.add(
            lane: self, order: order, modes: configuration.modes, weight: configuration.weight)
    }

    deinit {
        close()
    }

    /// How many jobs wait, with those between two slices or off the loop.
    public var count: Int { jobs.count }

    /// What the jobs that wait were said to cost.
    public var cost: Duration { jobs.cost }

    /// Whether nothing waits.
    public var isEmpty: Bool { count == 0 }

    /// Whether the key has a job here, waiting or running.
    public func contains(_ key: Key) -> Bool {
        jobs.slot(of: key) != nil
    }

    /// The urgency of the key's job, nil if it has none here.
    public func urgency(of key: Key) -> Urgency? {
        jobs.slot(of: key).map { jobs[$0].urgency }
    }

    /// What a job of this kind is expected to take, nil before one has run.
    public func expectedCost(of kind: JobKind) -> Duration? {
        costs.expected(of: kind)
    }

    /// Whether a job of this urgency and cost would be taken without another of its urgency or a
    /// more urgent one being dropped for it.
    public func hasRoom(for urgency: Urgency, cost: Duration = .zero) -> Bool {
        guard observer != nil else { return false }
        guard isFull(withOneMoreOf: cost) else { return true }
        guard configuration.overflow == .dropLeastUrgent, fits(cost) else { return false }
        jobs.hideRunning()
        guard let victim = jobs.victim else { return true }
        return jobs[victim].urgency < urgency
    }

    /// Takes every job back and leaves the loop; what is handed in afterwards is dropped.
    public func close() {
        guard let observer else { return }
        cancelAll()
        observer.cancel()
        self.observer = nil
        for timer in [expiryTimer?.id, deferralTimer, retryTimer] {
            if let timer { loop.cancel(timer) }
        }
        expiryTimer = nil
    }

    /// Checks that the queue's lists agree with each other and its counts with the law.
    ///
    /// O(n).
    public func checkInvariants() {
        precondition(jobs.count <= configuration.limit, "a queue never exceeds its bound")
        precondition(
            configuration.costLimit.map { jobs.cost <= $0 } ?? true,
            "a queue never exceeds its bound of work")
        precondition(statistics.isConserved, "every accepted job ends exactly once")
        jobs.checkInvariants()
    }
}
