// Running jobs in lulls.
extension JobQueue {
    func work() -> IdleResult {
        guard jobs.value.next != nil else {
            disarm()
            return .nothing
        }
        var now = loop.lullStart
        let end = now.later(by: batch)
        lastWorked = now
        lastDeferred = nil
        var result = IdleResult.nothing
        let begun = now
        let newest = sequence
        while loop.mayWork, isInMode, let next = choose(at: now) {
            let outcome = run(
                next, from: now, batchEnd: isBatched ? end : .zero, didTimeout: false)
            now = outcome.end
            if !outcome.wasSkipped { result = .worked }
            // Where time stands still, jobs that submit others would never end.
            if now == begun, let next = jobs.value.next, jobs.value[next].order.sequence > newest {
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
        if heldBack.time > 0, result == .worked, jobs.value.next != nil { armDeferral() }
        runIsOver()
        return result
    }

    /// Runs a job, or a slice of it; returns when it ended, and whether it was stale and cost
    /// nothing.
    ///
    /// A tiny slice of a job that returns `again` may be followed by more slices until `batchEnd`:
    /// the caller would choose the same job, as nothing else has happened.
    func run(
        _ slot: Int, from start: Instant, batchEnd: Instant = .zero, didTimeout: Bool
    ) -> (end: Instant, wasSkipped: Bool) {
        isInsideRun = true
        runStart = start
        let body = begin(slot, at: start)
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
                outcome = .success(
                    try loop.status.isRecording ? record(slot, body, lull) : body(lull))
            } catch {
                outcome = .failure(error)
            }
            now = loop.clock.now
            counts.value.slices += 1
            let cost = now.since(begun)
            if cost > counts.value.longestRun { counts.value.longestRun = cost }
            if jobs.value[slot].isWhole { learn(cost, of: slot, outcome) }
        } while now < due && outcome.saysAgain && loop.mayWork && goesOn(slot)
            && loop.nextDue >= due && limit == .distantFuture
        if now > limit { counts.value.overruns += 1 }
        if outcome.saysAgain, goesOn(slot) {
            jobs.value.resume(slot)
            return (now, false)
        }
        return (now, finish(slot, outcome))
    }

    @inline(never)
    private func record(
        _ slot: Int, _ body: Job.Body, _ lull: borrowing IdleSlot
    ) throws -> JobProgress {
        let work = Turn.Work.job(queue: configuration.name, key: describe(slot))
        let number = loop.recorder?.begin(work, at: loop.clock.now)
        defer { if let number { loop.recorder?.end(number, at: loop.clock.now) } }
        return try body(lull)
    }

    private func learn(_ cost: Int64, of slot: Int, _ outcome: Result<JobProgress, any Error>) {
        if case .success(.skipped) = outcome { return }
        costs.value.learn(cost, of: jobs.value[slot])
    }

    /// Returns whether a job that returned `again` can continue without other changes to the queue.
    private func goesOn(_ slot: Int) -> Bool {
        !isRunningCancelled && !isRunningSetAside && isOpen && follower.value == nil
            && jobs.value.count < configuration.limit && costLimit == .max
    }

    private func begin(_ slot: Int, at start: Instant) -> Job.Body {
        let body = jobs.value.start(slot)
        if !jobs.value[slot].hasRun {
            let wait = start.since(jobs.value[slot].submitted)
            if wait > counts.value.longestDelay { counts.value.longestDelay = wait }
            jobs.value[slot].hasRun = true
        }
        return body
    }

    /// Removes a job that has ended, or puts it back for its next slice; returns true if it was
    /// stale.
    private func finish(
        _ slot: Int, _ outcome: Result<JobProgress, any Error>
    ) -> Bool {
        let isCancelled = isRunningCancelled || !isOpen
        isRunningCancelled = false
        let isSetAside = isRunningSetAside
        isRunningSetAside = false
        if case .success(.again) = outcome, !isCancelled {
            if isSetAside { jobs.value.setAside(slot) } else { jobs.value.resume(slot) }
            if let follower = follower.value.take() {
                counts.value.joined += 1
                jobs.value.join(slot, follower)
                armExpiry()
            }
            if jobs.value[slot].hint ?? 0 <= costLimit {
                makeRoom()
            } else {
                end(slot, .dropped(.full))
            }
            return false
        }
        let end: JobEnd =
            switch outcome {
            case .success(.again): .cancelled
            case .success(.done): .done
            case .success(.skipped): .skipped
            case .failure(let error): .failed(error)
            }
        if let follower = follower.value.take() {
            tell(succeed(slot, as: end, by: follower), end)
        } else {
            tell(takeOut(slot, as: end), end)
        }
        if case .skipped = end { return true }
        return false
    }

    private func sliceEnd(from start: Instant, didTimeout: Bool) -> Instant {
        guard let slice else { return .distantFuture }
        let end = start.later(by: slice)
        guard configuration.endsSlicesWhenDue, !didTimeout else { return end }
        // A frame that is late may still come or not: work goes on, with a poll after each slice.
        let due = loop.nextDue
        return due > start ? min(end, due) : end
    }

    // MARK: - Jobs that don't wait for a lull

    /// Arms a timer for the earliest time at which a job runs regardless of other work.
    func armExpiry() {
        guard let next = jobs.value.nextExpiry?.moment else { return }
        if let armed = expiryTimer {
            guard next != armed.moment else { return }
            loop.cancel(armed.id)
        }
        let id = loop.schedule(at: next) { [weak self] in self?.expire() }
        expiryTimer = (id, next)
    }

    /// Cancels the timers that have no job any more.
    func disarm() {
        if let armed = expiryTimer, jobs.value.nextExpiry?.moment != armed.moment {
            loop.cancel(armed.id)
            expiryTimer = nil
            if isOpen { armExpiry() }
        }
        guard jobs.value.next == nil else { return }
        for timer in [deferralTimer, retryTimer] {
            if let timer { loop.cancel(timer) }
        }
        deferralTimer = nil
        retryTimer = nil
    }

    /// Runs one job that has waited past its timeout; the loop polls before the next.
    private func expire() {
        expiryTimer = nil
        let now = loop.clock.now
        if let next = jobs.value.nextExpiry, next.moment <= now, jobs.value.running == nil {
            counts.value.timedOut += 1
            loop.lull.start = now
            let id = jobs.value.id(at: next.slot)
            _ = run(next.slot, from: now, didTimeout: true)
            // Its next slices don't wait for a lull either.
            if jobs.value.contains(id) { jobs.value.update(id.index) { $0.expiry = now } }
        }
        if isOpen { armExpiry() }
        runIsOver()
    }

    /// Arms a timer for the end of the time for which jobs may be deferred.
    func armDeferral() {
        guard let maxDeferral, isInMode else { return }
        if let timer = deferralTimer {
            guard heldBack.time > 0 else { return }
            loop.cancel(timer)
        }
        heldBack = (0, counts.value.slices)
        lastWorked = loop.clock.now
        lastDeferred = nil
        deferralTimer = loop.schedule(at: lastWorked.later(by: maxDeferral)) { [weak self] in
            self?.endDeferral()
        }
    }

    /// Runs deferred jobs if the loop hasn't been idle for `maxDeferral`, and again in the next
    /// pass, until it is idle.
    private func endDeferral() {
        guard let maxDeferral, let next = jobs.value.next, isInMode else {
            deferralTimer = nil
            return
        }
        let now = loop.clock.now
        // A loop that sleeps is idle.
        var moment = max(lastWorked, loop.lastWake).later(by: maxDeferral)
        if moment <= now {
            loop.lull.start = now
            moment = runDeferred(next, from: now)
            lastDeferred = moment
            runIsOver()
            heldBack = (0, counts.value.slices)
        } else if heldBack.slices == counts.value.slices {
            // The loop was idle, and no job fits before a timer is due: the interval grows, so that
            // the loop isn't woken again and again for the same result.
            heldBack.time = max(maxDeferral, 2 * min(heldBack.time, .max / 2))
            moment = now.later(by: heldBack.time)
        } else {
            heldBack = (0, counts.value.slices)
        }
        // Only now, so that a job that submits another doesn't defer the queue again.
        deferralTimer = nil
        guard isOpen, jobs.value.next != nil else { return }
        deferralTimer = loop.schedule(at: moment) { [weak self] in self?.endDeferral() }
    }

    /// The longest pass that counts in full, in nanoseconds: in a longer one, the process was
    /// stopped or a callback hung.
    private static let longestPass: Int64 = 50_000_000

    /// Runs a deferred job, and others after it for a batch or half the duration of the previous
    /// pass; returns the time at which they ended.
    ///
    /// One job in each pass would be almost no progress where passes are long. Only one runs if
    /// batches are disabled, or where time stands still, as jobs that submit others would never
    /// end.
    private func runDeferred(_ first: Int, from start: Instant) -> Instant {
        let pass = min(lastDeferred.map { start.since($0) } ?? 0, Self.longestPass)
        let end = isBatched ? start.later(by: max(batch, pass / 2)) : start
        var now = start
        var next: Int? = first
        while let slot = next {
            counts.value.deferred += 1
            now = run(slot, from: now, didTimeout: false).end
            let mayGoOn = now > start && now < end && loop.mayWork && isOpen
            next = mayGoOn && isInMode ? jobs.value.next : nil
        }
        return now
    }

    /// Whether the loop is in a mode in which jobs run.
    private var isInMode: Bool { configuration.modes.contains(loop.status.mode) }

    /// Restarts the deferral when the loop's mode has changed: jobs that were resting may be
    /// deferred only for that time again.
    func modeChanged() {
        if jobs.value.next != nil { armDeferral() }
    }
}

extension Result<JobProgress, any Error> {
    fileprivate var saysAgain: Bool {
        if case .success(.again) = self { return true }
        return false
    }
}
