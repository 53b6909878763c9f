/// The scheduler of an idle queue's jobs, without their keys.
///
/// It isn't generic, so that the code of each lull is compiled once, for all keys. Jobs are
/// identified by their slots; `IdleQueue` maps these to keys.
@usableFromInline
final class JobQueue {
    let configuration: QueueConfiguration
    /// The counts of past events; the numbers of waiting and running jobs are those of the table.
    let counts = ConfinedBox(QueueStatistics())
    /// A closure that is called with each slot that becomes free, if its key needs to be released.
    var forget: ((Int) -> Void)?
    /// A closure that returns the description of a slot's key.
    var describe: (Int) -> String = { String($0) }
    /// A closure that keeps keys with their slots from now on, since no slot will be used again.
    var keepKeys: (() -> Void)?
    /// A closure that releases all keys, when there are no jobs any more.
    var dropKeys: (() -> Void)?

    let loop: LoopContext
    /// A closure that removes the queue from its loop; nil if it isn't on one.
    private var leave: (() -> Void)?
    let jobs: ConfinedBox<JobTable>
    let costs = ConfinedBox(CostEstimator())
    let fitting = ConfinedBox(Fitting())
    var sequence: UInt64 = 0

    /// The maximum cost of a job, in nanoseconds: an hour is more than any lull has, and the sum
    /// for a million jobs doesn't overflow.
    static let greatestCost: Int64 = 1 << 42

    // The configuration's durations, in nanoseconds.
    let costLimit: Int64
    let slice: Int64?
    let maxDeferral: Int64?
    /// The time for which jobs run before the next poll; it applies to stale jobs too, though they
    /// cost nothing.
    let batch: Int64
    let isBatched: Bool

    /// Whether the running job was cancelled meanwhile.
    var isRunningCancelled = false
    /// Whether the running job will wait for something other than a lull.
    var isRunningSetAside = false
    /// A request for the key of the running job: it joins that if there are more slices, and
    /// otherwise takes its place.
    let follower = ConfinedBox<DetachedJob?>(nil)

    /// The timer for the earliest expiry; the next two are for the end of the deferral, and for the
    /// end of an expected frame that may not come.
    var expiryTimer: (id: TimerTable.ID, moment: Instant)?
    var deferralTimer: TimerTable.ID?
    var retryTimer: TimerTable.ID?
    var lastWorked = Instant.zero
    /// The time at which deferred jobs last ran, in a loop that hasn't been idle since.
    var lastDeferred: Instant?
    /// The interval of the deferral timer while an idle loop holds jobs back, and the count of
    /// slices at its last reset.
    var heldBack = (time: Int64(0), slices: 0)
    /// A reference to itself, if it was released during a run of its job or a callback of that
    /// job's end.
    var selfRetain: JobQueue?
    /// A closure that removes the queue from its loop after the current run.
    private var leaving: (() -> Void)?
    /// Whether a run is in progress, including the callbacks at its end.
    var isInsideRun = false
    /// The beginning of the current run, or of the last one.
    var runStart = Instant.zero
    /// Whether jobs are accepted: the queue is neither closed nor shutting down.
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
        jobs = ConfinedBox(
            JobTable(dropsLeastUrgent: configuration.overflow == .dropLeastUrgent))
    }

    /// Starts accepting jobs, on a loop where the queue works before idle from now on.
    func open(leave: @escaping () -> Void) {
        self.leave = leave
        isAccepting = true
    }

    deinit {
        close()
    }

    /// Ends a run after all callbacks; must be the last access, since the queue may be deallocated.
    @inline(__always)
    func runIsOver() {
        isInsideRun = false
        if selfRetain != nil { leaveAfterRun() }
    }

    @inline(never)
    private func leaveAfterRun() {
        leaving.take()?()
        selfRetain = nil
    }

    var isOpen: Bool { leave != nil }

    /// The queue's statistics.
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
        if isInsideRun || jobs.value.running != nil { selfRetain = self }
        isAccepting = false  // first, so that jobs that callbacks submit are dropped
        self.leave = nil
        cancelAll()
        // A queue with a running job stays, to count that job.
        if selfRetain == nil { leave() } else { leaving = leave }
        for timer in [expiryTimer?.id, deferralTimer, retryTimer] {
            if let timer { loop.cancel(timer) }
        }
    }

    /// Accepts no more jobs, runs the present ones for `time`, and cancels the rest.
    func shutDown(within time: Duration, then completion: @escaping (QueueEnding) -> Void) {
        precondition(time >= .zero, "a shutdown's time is not negative")
        isAccepting = false
        keepKeys?()
        keepKeys = nil
        let ending = self.ending ?? QueueEnding(of: self)
        self.ending = ending
        ending.begin(within: isOpen && !loop.isClosed ? time : .zero, then: completion)
    }

    /// Ends the shutdown after all callbacks.
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
