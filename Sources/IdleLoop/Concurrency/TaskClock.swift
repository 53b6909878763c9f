/// A loop's time as a clock of Swift's own, for code that sleeps on one.
///
/// On virtual time such code runs in no time at all, and always the same:
///
/// ```swift
/// let clock = loop.taskClock
/// loop.task { try await clock.sleep(for: .seconds(3600)) }
/// ```
///
/// It may be used from any thread; to arm and to cancel a sleep is a post to the loop each. On
/// virtual time, code that runs elsewhere than on the loop isn't waited for.
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

    /// The present moment.
    public var now: Instant { virtual?.now ?? LoopClock.monotonic.now }

    /// A nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Returns at `deadline`, or soon if that has passed.
    ///
    /// `tolerance` says by how much a job may make it later, as it does for any of the loop's timers.
    /// Throws `CancellationError` as soon as the task is cancelled, and `LoopError.closed` when the
    /// loop is closed.
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

    /// The same, for so long; from the loop's own tasks without the way by the global pool that the
    /// standard library's takes.
    public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
        try await sleep(until: now.advanced(by: duration), tolerance: tolerance)
    }
}

extension MainLoop {
    /// The loop's time, for tasks that sleep.
    public var taskClock: TaskClock { TaskClock(of: self) }
}

/// One task's sleep.
private final class TaskSleep: Sendable {
    private struct State: Sendable {
        var timer: TimerTable.ID?
        var hasPassed = false
    }

    let gate: Gate
    private let state = Guarded(State())

    init(by executor: LoopExecutor) {
        gate = Gate(to: executor)
    }

    /// Whether it has come to its end, rather than been cut short.
    var hasPassed: Bool { state.withLock { $0.hasPassed } }

    func begin(by inbox: Inbox, until deadline: Instant, _ tolerance: Duration?) -> Bool {
        let wake = Wake(self)
        let message = Inbox.Message.call { loop in
            let rhythm = TimerTable.Rhythm(
                period: 0, tolerance: tolerance?.wholeNanoseconds ?? -1)
            let timer = loop.context.schedule(at: deadline, rhythm) { wake.hasPassed() }
            self.state.withLock { $0.timer = timer }
        }
        return inbox.addForTask(message)
    }

    /// Takes the timer of one that was cut short off the loop.
    func end(by inbox: Inbox) {
        let message = Inbox.Message.call { loop in
            if let timer = self.state.withLock({ $0.timer }) { loop.context.cancel(timer) }
        }
        _ = inbox.addForTask(message)
    }

    private func pass() {
        state.withLock { $0.hasPassed = true }
        gate.open()
    }

    /// What the loop's timer holds of a sleep, and what asks for that: when they are let go of, it ends.
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
