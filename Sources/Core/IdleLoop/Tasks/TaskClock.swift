/// A Swift `Clock` that shows a loop's time, for code that sleeps on a clock.
///
/// On virtual time, a sleep takes no real time and gives the same result in each run:
///
/// ```swift
/// let clock = loop.taskClock
/// loop.task { try await clock.sleep(for: .seconds(3600)) }
/// ```
///
/// A clock may be used from any thread; arming and cancelling a sleep are one post to the loop
/// each. Virtual time doesn't wait for code that runs elsewhere than on the loop.
public struct TaskClock: Clock {
    private let inbox: Inbox
    private let executor: LoopExecutor
    private let virtual: SharedInstant?

    init(of loop: MainLoop) {
        inbox = loop.inbox
        executor = loop.executor
        if case .virtual(let time) = loop.clock {
            virtual = time.shown
        } else {
            virtual = nil
        }
    }

    /// The current time.
    public var now: Instant { virtual?.now ?? LoopClock.monotonic.now }

    /// The resolution of the clock: one nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until `deadline`, or returns soon if that has passed.
    ///
    /// `tolerance` is the delay that a job may cause, as for any of the loop's timers. Throws
    /// `CancellationError` as soon as the task is cancelled, and `LoopError.closed` when the loop
    /// is closed.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let sleep = TaskSleep(by: executor)
        guard sleep.begin(by: inbox, until: deadline, tolerance) else { throw LoopError.closed }
        await sleep.gate.passUnlessCancelled(from: #isolation)
        guard !sleep.hasPassed else { return }
        sleep.end(by: inbox)
        try Task.checkCancellation()
        throw LoopError.closed
    }

    /// Waits for `duration`.
    ///
    /// In the loop's own tasks it doesn't use the global pool, unlike the standard library's
    /// default.
    public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
        try await sleep(until: now.advanced(by: duration), tolerance: tolerance)
    }
}

extension MainLoop {
    /// The loop's time, as a clock for tasks that sleep.
    public var taskClock: TaskClock { TaskClock(of: self) }
}

/// The sleep of one task.
private final class TaskSleep: Sendable {
    private struct State: Sendable {
        var timer: TimerTable.ID?
        var hasPassed = false
    }

    let gate: AsyncGate
    private let state = Guarded(State())

    init(by executor: LoopExecutor) {
        gate = AsyncGate(to: executor)
    }

    /// Whether the deadline has passed, rather than the sleep being cut short.
    var hasPassed: Bool { state.withLock { $0.hasPassed } }

    func begin(by inbox: Inbox, until deadline: Instant, _ tolerance: Duration?) -> Bool {
        let wake = Wake(self)
        let message = Inbox.Message.call { loop in
            let rhythm = TimerTable.Rhythm(
                period: 0, tolerance: tolerance?.wholeNanoseconds ?? -1)
            let timer = loop.context.schedule(at: deadline, rhythm) { wake.hasPassed() }
            self.state.withLock { $0.timer = timer }
        }
        return inbox.add(message, evenIfFull: true)
    }

    /// Cancels the loop's timer for a sleep that was cut short.
    func end(by inbox: Inbox) {
        let message = Inbox.Message.call { loop in
            if let timer = self.state.withLock({ $0.timer }) { loop.context.cancel(timer) }
        }
        _ = inbox.add(message, evenIfFull: true)
    }

    private func pass() {
        state.withLock { $0.hasPassed = true }
        gate.open()
    }

    /// The reference that the loop's timer, or the request for it, has to a sleep: the sleep ends
    /// when it's released.
    private final class Wake: Sendable {
        private let sleep: TaskSleep

        init(_ sleep: TaskSleep) {
            self.sleep = sleep
        }

        deinit { sleep.gate.open() }

        func hasPassed() {
            sleep.pass()
        }
    }
}
