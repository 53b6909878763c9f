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
    ) -> LoopTimer {
        precondition(
            period.map { $0 >= .nanoseconds(1) } ?? true, "a timer's period is longer than zero")
        precondition(tolerance.map { $0 >= .zero } ?? true, "a tolerance is not negative")
        let rhythm = TimerTable.Rhythm(
            period: max(0, period?.wholeNanoseconds ?? 0),
            tolerance: tolerance?.wholeNanoseconds ?? -1)
        return LoopTimer(id: context.schedule(at: instant, rhythm, body), loop: context)
    }

    /// Calls `body` when `delay` has passed, and then again each `period` if there is one.
    @discardableResult
    public func schedule(
        after delay: Duration, every period: Duration? = nil, tolerance: Duration? = nil,
        _ body: @escaping () -> Void
    ) -> LoopTimer {
        schedule(
            at: clock.now.advanced(by: delay), every: period, tolerance: tolerance, body)
    }
}

/// What a timer can be cancelled by.
///
/// The loop keeps the timer itself: it fires whether or not anybody holds this. Copies stand for
/// the same timer, and none keeps the loop alive.
public struct LoopTimer {
    fileprivate let id: TimerTable.ID
    fileprivate let loop: LoopContext

    /// Takes the timer off the loop; false if it fired for the last time or was cancelled before,
    /// or the loop is closed.
    ///
    /// O(log n).
    @discardableResult
    public func cancel() -> Bool {
        loop.cancel(id)
    }
}
