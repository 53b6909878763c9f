internal import LullLibC

/// A queue on its loop: it runs jobs in lulls, or without one when they have waited for too long.
///
/// Times that are compared in each pass are in nanoseconds, since a `Duration` has 128 bits.
@usableFromInline
final class JobQueue: IdleWorker {
    /// Its configuration, with a name of its own if it was given none.
    private(set) var configuration: QueueConfiguration
    let loop: LoopContext
    /// The jobs, and what is asked of them.
    @usableFromInline let jobs: JobStore

    private let deferral: ConfinedBox<Deferral?>

    private let slice: Int64?
    /// The time for which jobs run before the next poll; it applies to stale jobs too, though they
    /// cost nothing.
    private let batch: Int64
    private let isBatched: Bool

    /// The timer for the next moment at which the queue acts without a lull.
    private var timer: (id: TimerTable.ID, moment: Instant)?
    /// The end of a frame of the host's that may not come, for which a job is held back;
    /// `distantFuture` if none is.
    private var frameEnd = Instant.distantFuture

    /// A closure that removes the queue from its loop; nil if it isn't on one.
    private var leave: (() -> Void)?
    /// A closure that removes the queue from its loop after the current run.
    private var leaving: (() -> Void)?
    /// A reference to itself, if it was released during a run of its job or a callback of that
    /// job's end.
    private var selfRetain: JobQueue?
    private var shutdown: QueueShutdown?

    init(
        on loop: LoopContext, configuration: QueueConfiguration, keys: any JobKeys,
        releasesKeys: Bool
    ) {
        precondition(configuration.limit > 0, "an idle queue holds at least one job")
        precondition(
            configuration.slice.map { $0 > .zero } ?? true, "a slice is longer than zero")
        self.configuration = configuration
        self.loop = loop
        jobs = JobStore(
            on: loop, limit: configuration.limit, keys: keys, releasesKeys: releasesKeys)
        deferral = ConfinedBox(configuration.maxDeferral.map { Deferral(limit: $0) })
        slice = configuration.slice?.wholeNanoseconds
        isBatched = configuration.batch > .zero
        batch = isBatched ? configuration.batch.wholeNanoseconds : 50_000
        super.init(weight: configuration.weight)
    }

    /// Starts accepting jobs, on a loop where the queue works before idle from now on.
    func open(as name: String, leave: @escaping () -> Void) {
        configuration.name = name
        self.leave = leave
        jobs.isAccepting = true
        jobs.changed = { [unowned self] hasNewJob in
            if hasNewJob, deferral.value?.isExtended == true { deferral.value?.stop() }
            rearm()
        }
    }

    deinit {
        close()
    }

    // MARK: - State

    private var isOpen: Bool { leave != nil }

    private var machine: JobMachine {
        @inline(__always) _read { yield jobs.machine.value }
        @inline(__always) _modify { yield &jobs.machine.value }
    }

    /// Whether a run is in progress, including the callbacks at its end.
    var isInsideRun: Bool { machine.run.isInProgress }

    /// The queue's statistics.
    var statistics: QueueStatistics { machine.statistics }

    override var queueStatistics: (name: String, counts: QueueStatistics)? {
        (configuration.name, statistics)
    }

    /// The number of waiting jobs.
    var count: Int { machine.table.count }

    // MARK: - Running

    /// Runs jobs in a lull, for the duration of a batch.
    override func work() -> IdleResult {
        guard machine.table.next != nil else {
            rearm()
            return .nothing
        }
        var now = loop.lullStart
        let end = now.later(by: batch)
        deferral.value?.noteLull(at: now)
        var result = IdleResult.nothing
        let begun = now
        let newest = jobs.sequence
        while loop.mayWork, isInMode, let next = choose(at: now) {
            let outcome = run(next, from: now, batchEnd: isBatched ? end : .zero)
            now = outcome.end
            if !outcome.wasSkipped { result = .worked }
            // Where time stands still, jobs that submit others would never end.
            if now == begun, hasNext(after: newest) {
                result = .worked
                break
            }
            if now >= end || now >= loop.nextDue || !isBatched {
                if outcome.wasSkipped, !isBatched, now < end { continue }
                result = .worked
                break
            }
        }
        loop.lull.fresh = now
        if result == .worked, deferral.value?.isExtended == true { deferral.value?.stop() }
        endRun()
        return result
    }

    /// Whether the next job was submitted after the one of this number.
    private func hasNext(after newest: UInt64) -> Bool {
        machine.table.next.map { machine.table[$0].order.sequence > newest } ?? false
    }

    /// Returns the job to run at `now`; nil if none fits into the rest of the lull.
    private func choose(at now: Instant) -> Int? {
        guard machine.table.next != nil else { return nil }
        if loop.hostFrame < now { loop.hostFrame = .distantFuture }
        let limit = loop.latestStart
        let choice = machine.choose(before: limit, at: now)
        // A job is held back for a frame of the host's, which may not come.
        if choice == nil, loop.isSetByFrame(limit) { frameEnd = limit.later(by: 1) }
        return choice
    }

    /// Runs a job, or a slice of it; returns when it ended, and whether it was stale and cost
    /// nothing.
    ///
    /// A tiny slice of a job that returns `again` may be followed by more slices until `batchEnd`:
    /// the caller would choose the same job, as nothing else has happened.
    private func run(
        _ slot: Int, from start: Instant, batchEnd: Instant = .zero, didTimeout: Bool = false,
        isOverdue: Bool = false
    ) -> (end: Instant, wasSkipped: Bool) {
        let body = machine.start(slot, at: start, isOverdue: isOverdue)
        let limit = loop.latestStart
        let due = min(batchEnd, loop.nextDue)
        let lull = IdleSlot(
            on: loop, sliceEnd: sliceEnd(from: start, didTimeout: didTimeout),
            didTimeout: didTimeout)
        var now = start
        var outcome: Result<JobProgress, any Error>
        repeat {
            let begun = now
            do {
                outcome = .success(try body(lull))
            } catch {
                outcome = .failure(error)
            }
            now = loop.clock.now
            machine.endSlice(outcome, cost: now.since(begun))
        } while now < due && outcome.saysAgain && loop.mayWork && isOpen
            && machine.goesOn(slot) && loop.nextDue >= due && limit == .distantFuture
        let next = machine.endRun(
            of: slot, outcome, at: now, isLate: now > limit, isOpen: isOpen,
            isAccepting: jobs.isAccepting)
        if let next {
            jobs.prepareLull(starting: machine.table.id(at: next))
        } else if machine.hasEnded {
            jobs.complete()
        }
        return (now, outcome.saysSkipped)
    }

    private func sliceEnd(from start: Instant, didTimeout: Bool) -> Instant {
        guard let slice else { return .distantFuture }
        let end = start.later(by: slice)
        guard configuration.endsSlicesWhenDue, !didTimeout else { return end }
        // A frame that is late may still come or not: work goes on, with a poll after each slice.
        let due = loop.nextDue
        return due > start ? min(end, due) : end
    }

    /// Ends a run after all callbacks; must be the last access, since the queue may be deallocated.
    @inline(__always)
    private func endRun() {
        machine.endCallbacks()
        rearm()
        if selfRetain != nil { leaveAfterRun() }
    }

    @inline(never)
    private func leaveAfterRun() {
        leaving.take()?()
        selfRetain = nil
    }

    /// Whether the loop is in a mode in which jobs run.
    private var isInMode: Bool { configuration.modes.contains(loop.status.mode) }

    // MARK: - Without a lull

    /// Arms the timer for the earliest moment at which the queue acts without a lull: a job's timeout,
    /// the end of the deferral, or that of a frame of the host's.
    ///
    /// During a run it isn't armed: the end of the run does it.
    private func rearm() {
        guard isOpen, machine.table.running == nil else { return }
        let hasNext = machine.table.next != nil
        if !hasNext { frameEnd = .distantFuture }
        if deferral.value != nil { updateDeferral(hasNext: hasNext) }
        let expiry = machine.table.nextExpiry?.moment ?? .distantFuture
        let moment = min(expiry, min(deferral.value?.next ?? .distantFuture, frameEnd))
        guard moment != timer?.moment ?? .distantFuture else { return }
        if let timer { loop.cancel(timer.id) }
        timer = nil
        guard moment < .distantFuture else { return }
        timer = (loop.schedule(at: moment) { [weak self] in self?.act() }, moment)
    }

    private func updateDeferral(hasNext: Bool) {
        guard hasNext, isInMode else { return deferral.value?.stop() ?? () }
        guard deferral.value?.next == nil else { return }
        deferral.value?.restart(at: loop.clock.now, slices: machine.slices)
    }

    /// Does what is due without a lull, one thing at a time, with a poll before the next.
    private func act() {
        timer = nil
        guard machine.table.running == nil else { return }
        let now = loop.clock.now
        if let next = machine.table.nextExpiry, next.moment <= now {
            runExpired(next.slot, at: now)
        } else if let check = deferral.value?.next, check <= now {
            endDeferral(at: now)
        } else if frameEnd <= now {
            frameEnd = .distantFuture
            loop.wantIdle()
        }
        endRun()
    }

    /// Runs a job that has waited past its timeout.
    private func runExpired(_ slot: Int, at now: Instant) {
        loop.lull.start = now
        let id = machine.table.id(at: slot)
        _ = run(slot, from: now, didTimeout: true, isOverdue: true)
        // Its next slices don't wait for a lull either.
        if machine.table.contains(id) { machine.update(slot) { $0.expiry = now } }
    }

    /// Runs deferred jobs if the loop hasn't been idle for `maxDeferral`, and again in the next
    /// pass, until it is idle.
    ///
    /// After the first, others run for a while; only one runs if batches are disabled, or where time
    /// stands still, as jobs that submit others would never end.
    private func endDeferral(at start: Instant) {
        guard isInMode, let first = machine.table.next,
            deferral.value?.isOver(
                at: start, lastWake: loop.lastWake, slices: machine.slices) == true
        else { return }
        loop.lull.start = start
        let end = isBatched ? deferral.value?.runEnd(from: start, batch: batch) ?? start : start
        var now = start
        var next: Int? = first
        while let slot = next {
            now = run(slot, from: now, isOverdue: true).end
            let mayGoOn = now > start && now < end && loop.mayWork && isOpen
            next = mayGoOn && isInMode ? machine.table.next : nil
        }
        deferral.value?.noteRun(until: now, slices: machine.slices)
    }

    /// Begins the deferral anew when the loop's mode has changed: jobs that were resting may be
    /// deferred only for that time again.
    override func modeChanged() {
        rearm()
    }

    // MARK: - The end

    override func cancel() { close() }

    func close() {
        guard let leave else { return }
        if isInsideRun || machine.table.running != nil { selfRetain = self }
        jobs.isAccepting = false  // first, so that jobs that callbacks submit are dropped
        jobs.changed = nil
        self.leave = nil
        if let timer { loop.cancel(timer.id) }
        timer = nil
        jobs.cancelAll()
        // A queue with a running job stays, to count that job.
        if selfRetain == nil { leave() } else { leaving = leave }
    }

    /// Accepts no more jobs, runs the present ones for `time`, and cancels the rest.
    func shutDown(within time: Duration, then completion: @escaping (QueueShutdown) -> Void) {
        jobs.isAccepting = false
        jobs.keepKeys()
        let shutdown = self.shutdown ?? QueueShutdown(of: self)
        self.shutdown = shutdown
        shutdown.begin(
            within: isOpen && !loop.isClosed ? max(.zero, time) : .zero, then: completion)
    }

    /// Ends the shutdown after all callbacks.
    func shutDownEnded() {
        shutdown = nil
        jobs.keys.releaseAll()
    }

    func checkInvariants() {
        machine.checkInvariants()
    }
}
