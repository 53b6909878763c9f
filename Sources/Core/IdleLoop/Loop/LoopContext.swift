internal import CLullLibevent
internal import LullLibC
internal import Synchronization

/// The services that objects on a loop need: its time and timers, the next due time, the lull, and
/// requests for a lull.
///
/// A loop owns its context, and the context has no reference to the loop: keeping a context doesn't
/// keep the loop alive. After the loop is closed, the context accepts no timers and allows no work.
final class LoopContext {
    let clock: LoopClock
    /// Wakes the loop; other threads may call it.
    let wake: @Sendable () -> Void
    private let thread = lull_current_thread()
    private let closed = Atomic(false)
    private let stateBox = ConfinedBox(LoopState())
    private let timers = ConfinedBox(TimerTable())
    /// What wakes the loop for its timers; nil after the loop is closed.
    let alarm: ConfinedBox<TimerAlarm?>
    private var firingUntil: Instant?
    /// The loop as its host sees it; nil for a loop without a host, and after the loop is closed.
    var guest: LoopGuest?
    /// The lanes of the loop's queues, once a job was submitted that may run there, and those of its
    /// worker pools.
    var lanes: [any LoopLanes] = []
    /// The lanes of the loop's queues.
    var queueLanes: (any LoopLanes)? { lanes.first { !$0.areWorkers } }
    /// Called after lanes have returned runs, at the end of the change.
    var whenLanesReturn: (() -> Void)?

    init(clock: LoopClock, wake: @escaping @Sendable () -> Void) throws(LoopError) {
        self.clock = clock
        self.wake = wake
        alarm = ConfinedBox(try TimerAlarm())
    }

    /// Whether the caller is on the loop's thread.
    var isOnOwnThread: Bool { thread == lull_current_thread() }

    /// Whether the loop's last reference was released, on whatever thread.
    var isReleased = false

    /// Ends the process, in debug builds, if another thread uses the open loop or what is on it.
    @inline(__always)
    func checkThread() {
        #if DEBUG
        precondition(
            isOnOwnThread || isReleased || isClosed,
            "a loop, and all that is on it, is used on the thread that has made it")
        #endif
    }

    /// Whether the loop was closed.
    ///
    /// Unlike everything else, it may be asked on any thread: tasks of a closed loop continue elsewhere.
    var isClosed: Bool { closed.load(ordering: .relaxed) }

    /// Marks the loop as closed: it allows no work.
    func close() {
        checkThread()
        closed.store(true, ordering: .relaxed)
        state.mayWork = false
    }

    /// The state, for the loop's own thread.
    var state: LoopState {
        @inline(__always) _read {
            checkThread()
            yield stateBox.value
        }
        @inline(__always) _modify {
            checkThread()
            yield &stateBox.value
        }
    }

    /// Whether work may run: the loop runs, or its host does, and `stop` was not called.
    var mayWork: Bool { state.mayWork }

    /// Whether the thread is inside one of the loop's callbacks, or between two of them.
    var isInside: Bool { state.isInsideRun || guest?.isInside ?? false }

    // MARK: - Due times

    /// The time at which the next timer is due.
    var nextTimer: Instant { timers.value.next }

    /// The time at which the next timer or frame is due, or the host's next timer if that is known.
    var nextDue: Instant { min(timers.value.next, state.hostFrame, state.lull.hostDue) }

    /// The latest time at which the loop must be free, so that no timer or frame is later than its
    /// tolerance; `distantFuture` if none has a tolerance.
    var latestStart: Instant { min(timers.value.latest, state.hostFrame) }

    /// Returns whether `latestStart` is set by a frame of the host's, which may not come.
    func isSetByFrame(_ latestStart: Instant) -> Bool {
        latestStart == state.hostFrame && latestStart < timers.value.latest
    }

    /// The time at which the current pass before idle began.
    var lullStart: Instant {
        if let start = state.lull.start { return start }
        let now = clock.now
        state.lull.start = now
        return now
    }

    // MARK: - Timers

    /// Schedules a call of `body` at `instant` and, if the timer has a period, at multiples of it
    /// afterwards.
    func schedule(
        at instant: Instant, _ rhythm: TimerTable.Rhythm = .once, _ body: @escaping () -> Void
    ) -> TimerTable.ID {
        guard !isClosed else { return .none }
        checkThread()
        let body = guest != nil && rhythm.period > 0 ? notInsideItself(body) : body
        // A timer that is armed for the past from inside a timer fires after all that are due
        // already.
        let id = timers.value.add(at: max(instant, firingUntil ?? instant), rhythm, body)
        updateHost()
        return id
    }

    /// Returns a closure that does nothing from inside itself, when it runs the host's loop.
    private func notInsideItself(_ body: @escaping () -> Void) -> () -> Void {
        var isInside = false
        return {
            guard !isInside else { return }
            isInside = true
            body()
            isInside = false
        }
    }

    /// Cancels a timer; returns false if it has fired or was cancelled before.
    @discardableResult
    func cancel(_ timer: TimerTable.ID) -> Bool {
        guard !isClosed else { return false }
        checkThread()
        let body = timers.value.remove(timer)
        updateHost()
        return body != nil
    }

    /// Fires the timers that are due now; timers that are armed meanwhile wait for the next pass,
    /// so that descriptors are polled in between.
    func fireTimers() -> Bool {
        switch clock {
        case .monotonic: guard alarm.value?.take() == true else { return false }
        case .virtual(let time): guard timers.value.next <= time.now else { return false }
        }
        let now = clock.now
        let horizon = timers.value.horizon
        let outer = firingUntil  // a timer may run the host's loop
        firingUntil = now
        defer { firingUntil = outer }
        var fired = false
        while let body = timers.value.popDue(at: now, before: horizon) {
            fired = true
            state.counts.timersFired += 1
            body()
        }
        return fired
    }

    /// Sets the alarm if the earliest deadline has changed.
    func setAlarm() throws(LoopError) {
        guard case .monotonic = clock else { return }
        try alarm.value?.set(to: timers.value.next, on: guest)
    }

    /// Returns whether the alarm of which the host was told has gone off.
    func checkAlarm() -> Bool {
        alarm.value?.check(at: clock.now)
        return alarm.value?.hasExpired ?? false
    }

    /// Accepts no more timers, and returns the present ones, so that the caller releases their
    /// closures.
    func closeTimers() -> TimerTable {
        alarm.value = nil
        var timers = TimerTable()
        swap(&self.timers.value, &timers)
        return timers
    }

    // MARK: - Requests

    /// Requests a lull, as there is something to do in it.
    ///
    /// A loop on its own base needs no request.
    func wantIdle() {
        checkThread()
        guard let guest else { return }
        guest.wantsIdle = true
        updateHost()
    }

    /// Changes the count of pieces of work that are off the loop.
    func countOutstanding(_ difference: Int) {
        guard let guest else { return }
        guest.outstanding += difference
        updateHost()
    }

    /// Updates a host after changes to the loop's timers and requests.
    @inline(__always)
    func updateHost() {
        if let guest, !guest.isInside { updateHost(guest) }
    }

    func updateHost(_ guest: LoopGuest) {
        do {
            try setAlarm()
            try guest.update(hasTimer: timers.value.next < .distantFuture)
        } catch {
            guest.wake()  // out of memory: try again in the next pass instead of sleeping
        }
    }
}
