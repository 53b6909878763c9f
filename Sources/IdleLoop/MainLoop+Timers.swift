// Timers: one heap, and one timerfd for all of them.
extension MainLoop {
    /// Calls `body` at `instant`, or as soon as the loop can if that has passed, and then again
    /// each `period` if there is one.
    ///
    /// Equal deadlines fire in the order they were armed. A `tolerance` says how late it may be:
    /// a whole job that is expected to make it later is held back. Without one a timer is as late as
    /// the job makes it that runs when it falls due, and no later. O(log n).
    ///
    /// A timer that repeats is due at `instant` and at exact multiples of `period` after it. After a
    /// callback or a job that took longer than a period, its own too, it fires once for the first of
    /// the moments that have passed, as late as it is; the others are skipped and not made up for, and
    /// the next is the first multiple that is still to come.
    @discardableResult
    public func schedule(
        at instant: Instant, every period: Duration? = nil, tolerance: Duration? = nil,
        _ body: @escaping () -> Void
    ) -> TimerID {
        precondition(
            period.map { $0 >= .nanoseconds(1) } ?? true, "a timer's period is longer than zero")
        precondition(tolerance.map { $0 >= .zero } ?? true, "a tolerance is not negative")
        guard !isClosed else { return TimerID(slot: .none) }
        // One armed for the past from inside a timer comes after all that is due already.
        let deadline = max(instant, firingUntil ?? instant)
        let id = timers.add(
            at: deadline,
            .init(
                period: max(0, period?.wholeNanoseconds ?? 0),
                tolerance: tolerance?.wholeNanoseconds ?? -1), body)
        settle()
        return TimerID(slot: id)
    }

    /// Calls `body` when `delay` has passed, and then again each `period` if there is one.
    @discardableResult
    public func schedule(
        after delay: Duration, every period: Duration? = nil, tolerance: Duration? = nil,
        _ body: @escaping () -> Void
    ) -> TimerID {
        schedule(
            at: clock.now.advanced(by: delay), every: period, tolerance: tolerance, body)
    }

    /// Takes a timer back; false if it fired already or was cancelled before.
    ///
    /// O(log n).
    @discardableResult
    public func cancel(_ timer: TimerID) -> Bool {
        let body = timers.remove(timer.slot)
        settle()
        return body != nil
    }

    /// Fires what is due now; a timer armed meanwhile waits for the next pass, so that descriptors
    /// have their turn between.
    func fireTimers() -> Bool {
        switch clock {
        case .monotonic:
            guard alarmWentOff else { return false }
            alarmWentOff = false
            alarmSetting = .distantFuture
        case .virtual(let time):
            guard timers.next <= time.now else { return false }
        }
        let now = clock.now
        let horizon = timers.horizon
        firingUntil = now
        defer { firingUntil = nil }
        var fired = false
        while let body = timers.popDue(at: now, before: horizon) {
            fired = true
            counts.timersFired += 1
            if recorder == nil {
                body()
            } else {
                record(.timer, body)
            }
        }
        return fired
    }

    /// Sets the timerfd if the earliest deadline is another than it was.
    func setAlarm() throws(LoopError) {
        guard timers.next != alarmSetting, case .monotonic = clock else { return }
        try alarm.set(to: timers.next < .distantFuture ? timers.next : nil)
        alarmSetting = timers.next
    }

    /// When the next timer or frame is due.
    var nextDue: Instant { min(timers.next, expectations.next) }

    /// The latest moment at which the loop must be free, so that no timer or frame is later than it
    /// may be; `distantFuture` if none says how late that is.
    var latestStart: Instant { min(timers.latest, expectations.latest) }
}
