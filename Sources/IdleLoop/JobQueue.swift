/// What runs when: an idle queue without its keys.
///
/// It isn't generic, so that what happens in each lull is compiled once, for all keys. Jobs are
/// known by their slots; `IdleQueue` knows whose they are.
@usableFromInline
final class JobQueue {
    let configuration: QueueConfiguration
    /// The counts of what has happened; what waits and what runs the table of jobs knows.
    let counts = Cell(QueueStatistics())
    /// Told of each slot that falls free, if its key needs to be let go of.
    var forget: ((Int) -> Void)?
    /// A slot's key, in words.
    var describe: (Int) -> String = { String($0) }
    /// Has slots and keys stay together from now on, as no slot is given again.
    var keepKeys: (() -> Void)?
    /// Has all keys let go of, when there are no jobs any more.
    var dropKeys: (() -> Void)?

    let loop: LoopContext
    /// Takes it off its loop; nil unless it's there.
    private var leave: (() -> Void)?
    let jobs: Cell<JobTable>
    let costs = Cell(CostBook())
    let fitting = Cell(Fitting())
    var sequence: UInt64 = 0

    /// What a job counts for at most, in nanoseconds: an hour's work is more than any lull has, and so
    /// much can be added up for a million jobs.
    static let greatestCost: Int64 = 1 << 42

    // The configuration's durations, in nanoseconds.
    let costLimit: Int64
    let slice: Int64?
    let maxDeferral: Int64?
    /// How long jobs may go on before the next poll; stale ones too, though they cost nothing.
    let batch: Int64
    let isBatched: Bool

    /// Whether the job that runs was cancelled meanwhile.
    var isRunningCancelled = false
    /// Whether the job that runs waits for something else than a lull afterwards.
    var isRunningSetAside = false
    /// A request for the key of the job that runs: it joins that if there are more slices, and takes
    /// its place if not.
    let follower = Cell<LooseJob?>(nil)

    /// Armed for the earliest expiry, for the end of the deferral, and for the end of a frame that is
    /// expected and may not come.
    var expiryTimer: (id: TimerTable.ID, moment: Instant)?
    var deferralTimer: TimerTable.ID?
    var retryTimer: TimerTable.ID?
    var lastWorked = Instant.zero
    /// When jobs ran last that had been put off, in a loop that wasn't idle since.
    var lastDeferred: Instant?
    /// How long an idle loop has held jobs back, by the deferral's timer, and the slices run before.
    var heldBack = (time: Int64(0), slices: 0)
    /// Itself, if it was let go of by the job that it runs, or by who was told of that one's end.
    var keeper: JobQueue?
    /// Takes it off its loop when that is over.
    private var leaving: (() -> Void)?
    /// Whether a run is under way, with what is told when it ends.
    var isInsideRun = false
    /// The beginning of that run, or of the last one.
    var runStart = Instant.zero
    /// Whether jobs are taken in: it's neither closed nor shutting down.
    private(set) var isAccepting = false
    private var ending: QueueEnding?

    init(on loop: LoopContext, configuration: QueueConfiguration) {
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
        costLimit = configuration.costLimit?.wholeNanoseconds ?? .max
        slice = configuration.slice?.wholeNanoseconds
        maxDeferral = configuration.maxDeferral?.wholeNanoseconds
        isBatched = configuration.batch > .zero
        batch = isBatched ? configuration.batch.wholeNanoseconds : 50_000
        jobs = Cell(
            JobTable(dropsLeastUrgent: configuration.overflow == .dropLeastUrgent))
    }

    /// Begins to take jobs in, on a loop where it works before idle from now on.
    func open(leave: @escaping () -> Void) {
        self.leave = leave
        isAccepting = true
    }

    deinit {
        close()
    }

    /// The run is over, and everybody was told: the last word, as there may be no queue after it.
    @inline(__always)
    func runIsOver() {
        isInsideRun = false
        if keeper != nil { leaveAfterRun() }
    }

    @inline(never)
    private func leaveAfterRun() {
        leaving.take()?()
        keeper = nil
    }

    var isOpen: Bool { leave != nil }

    /// The queue's counts.
    var statistics: QueueStatistics {
        var statistics = counts.value
        statistics.waiting = jobs.value.count
        statistics.running = jobs.value.running == nil ? 0 : 1
        return statistics
    }

    func hasRoom(for priority: Priority, cost: Duration) -> Bool {
        precondition(cost >= .zero, "a job's cost is not negative")
        guard isAccepting else { return false }
        let cost = min(cost.wholeNanoseconds, Self.greatestCost)
        guard cost <= costLimit else { return false }
        guard isFull(withOneMoreOf: cost) else { return true }
        switch configuration.overflow {
        case .dropNewest, .reject: return false
        case .dropLeastUrgent, .dropOldest: break
        }
        let (limit, costLimit) = (configuration.limit, costLimit)
        return jobs.value.canMakeRoom(from: priority) { count, waiting in
            count < limit && waiting <= costLimit - cost
        }
    }

    func close() {
        guard let leave else { return }
        if isInsideRun || jobs.value.running != nil { keeper = self }
        isAccepting = false  // first: what callbacks hand in again is dropped
        self.leave = nil
        cancelAll()
        // Whose job runs still counts that.
        if keeper == nil { leave() } else { leaving = leave }
        for timer in [expiryTimer?.id, deferralTimer, retryTimer] {
            if let timer { loop.cancel(timer) }
        }
    }

    /// Takes nothing in any more, finishes what it can within `time`, and takes the rest back.
    func shutDown(within time: Duration, then completion: @escaping (QueueEnding) -> Void) {
        precondition(time >= .zero, "a shutdown's time is not negative")
        isAccepting = false
        keepKeys?()
        keepKeys = nil
        let ending = self.ending ?? QueueEnding(of: self)
        self.ending = ending
        ending.begin(within: isOpen && !loop.isClosed ? time : .zero, then: completion)
    }

    /// The shutdown has come to its end, and everybody was told.
    func shutDownEnded() {
        ending = nil
        dropKeys?()
    }

    func checkInvariants() {
        precondition(jobs.value.count <= configuration.limit, "a queue never exceeds its bound")
        precondition(
            jobs.value.cost <= costLimit,
            "a queue never exceeds its bound of work")
        precondition(statistics.isConserved, "every accepted job ends exactly once")
        jobs.value.checkInvariants()
    }
}
