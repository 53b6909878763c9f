internal import LullLibC

// Timers: one heap, and one timerfd for all of them.
extension MainLoop {
    /// Calls `body` at `instant`, or as soon as possible if that has passed, and then every
    /// `period` if there is one.
    ///
    /// Timers of equal deadlines fire in the order in which they were armed. A `tolerance` is the
    /// accepted delay: a whole job that is expected to cause a longer one is held back. A timer
    /// without a tolerance is delayed at most by the job that is running when it becomes due. O(log
    /// n).
    ///
    /// A repeating timer is due at `instant` and at exact multiples of `period` after it. After a
    /// callback or a job that took longer than a period, including its own callback, it fires once,
    /// late, for the first of the times that have passed. The others are skipped and not made up
    /// for, and the next is the first multiple in the future. A negative tolerance counts as zero.
    ///
    /// Traps if the period is zero or negative.
    @discardableResult
    public func schedule(
        at instant: Instant, every period: Duration? = nil, tolerance: Duration? = nil,
        _ body: @escaping () -> Void
    ) -> LoopTimer {
        precondition(
            period.map { $0 >= .nanoseconds(1) } ?? true, "a timer's period is longer than zero")
        let rhythm = TimerTable.Rhythm(
            period: max(0, period?.wholeNanoseconds ?? 0),
            tolerance: tolerance.map { max(0, $0.wholeNanoseconds) } ?? -1)
        return LoopTimer(id: context.schedule(at: instant, rhythm, body), loop: context)
    }

    /// Calls `body` after `delay`, and then every `period` if there is one.
    ///
    /// Traps if the period is zero or negative.
    @discardableResult
    public func schedule(
        after delay: Duration, every period: Duration? = nil, tolerance: Duration? = nil,
        _ body: @escaping () -> Void
    ) -> LoopTimer {
        schedule(
            at: clock.now.advanced(by: delay), every: period, tolerance: tolerance, body)
    }
}

/// A token by which a timer can be cancelled.
///
/// The loop keeps the timer itself: it fires whether or not the token is kept. Copies refer to the
/// same timer, and don't keep the loop alive.
public struct LoopTimer {
    fileprivate let id: TimerTable.ID
    fileprivate let loop: LoopContext

    /// Cancels the timer; returns false if it fired for the last time, was cancelled before, or the
    /// loop is closed.
    ///
    /// O(log n).
    @discardableResult
    public func cancel() -> Bool {
        loop.cancel(id)
    }
}
