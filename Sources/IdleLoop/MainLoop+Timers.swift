// Timers: one heap, and one timerfd for all of them.
extension MainLoop {
    /// Calls `body` at `instant`, or as soon as the loop can if that has passed, and then again
    /// each `period` if there is one.
    ///
    /// Equal deadlines fire in the order they were armed. O(log n).
    @discardableResult
    public func schedule(
        at instant: Instant, every period: Duration? = nil, _ body: @escaping () -> Void
    ) -> TimerID {
        precondition(!isClosed, "a closed loop has no timers")
        precondition(period.map { $0 > .zero } ?? true, "a timer's period is longer than zero")
        // One armed for the past from inside a timer comes after all that is due already.
        let deadline = max(instant, firingUntil ?? instant)
        return TimerID(slot: timers.add(at: deadline, .init(period: period, body: body)))
    }

    /// Calls `body` when `delay` has passed, and then again each `period` if there is one.
    @discardableResult
    public func schedule(
        after delay: Duration, every period: Duration? = nil, _ body: @escaping () -> Void
    ) -> TimerID {
        schedule(at: clock.now.advanced(by: delay), every: period, body)
    }

    /// Takes a timer back; false if it fired already or was cancelled before.
    ///
    /// O(log n).
    @discardableResult
    public func cancel(_ timer: TimerID) -> Bool {
        timers.remove(timer.slot)
    }

    /// Fires what is due now; a timer armed meanwhile waits for the next pass, so that descriptors
    /// have their turn between.
    func fireTimers() -> Bool {
        switch clock {
        case .monotonic:
            guard alarmWentOff else { return false }
            alarmWentOff = false
            alarmSetting = nil
        case .virtual(let time):
            guard let next = timers.next, next <= time.now else { return false }
        }
        let now = clock.now
        let horizon = timers.horizon
        firingUntil = now
        defer { firingUntil = nil }
        var fired = false
        while let body = timers.popDue(at: now, before: horizon) {
            fired = true
            statistics.timersFired += 1
            body()
        }
        return fired
    }

    /// Sets the timerfd if the earliest deadline is another than it was.
    func setAlarm() throws(LoopError) {
        guard case .monotonic = clock, timers.next != alarmSetting else { return }
        try alarm.set(to: timers.next)
        alarmSetting = timers.next
    }

    /// When the next timer is due.
    var nextDue: Instant { timers.next ?? .distantFuture }
}
