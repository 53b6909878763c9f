internal import Glibc

/// What those who hang on a loop need of it: its time and its timers, what is due, the lull, and to
/// be heard when there is work.
///
/// A loop owns its context, and the context doesn't know the loop: whoever holds one keeps no loop
/// alive. When the loop is closed it takes no timers any more and lets nobody work.
final class LoopContext {
    let clock: LoopClock
    private let thread = pthread_self()
    private let statusCell = Cell(Status())
    private let countsCell = Cell(Statistics())
    private let lullCell = Cell(Lull())
    private let expectationsCell = Cell(Expectations())
    private let timers = Cell(TimerTable())
    /// Nil once the loop is closed.
    private var alarm: Alarm?
    private var alarmSetting = Instant.distantFuture
    private var alarmWentOff = false
    private var firingUntil: Instant?
    /// When the loop last slept.
    var lastWake = Instant.zero
    /// Notes what runs while somebody wants to be told of turns.
    var recorder: TurnRecorder?
    /// Who runs an adopted loop; nil for any other, and for one that is closed.
    var host: Host?

    init(clock: LoopClock) throws(LoopError) {
        self.clock = clock
        alarm = try Alarm()
    }

    /// Whether the caller is on the loop's thread.
    var isOnOwnThread: Bool { thread == pthread_self() }

    /// Whether the loop was closed.
    var isClosed: Bool { status.isClosed }

    /// Whether work may go on: the loop runs, or its host does, and nobody has said stop.
    var mayWork: Bool { status.mayWork }

    /// Whether the thread is inside one of the loop's callbacks, or between two of them.
    var isInside: Bool { status.isInsideRun || host?.isInside ?? false }

    // MARK: - What is due

    /// When the next timer is due.
    var nextTimer: Instant { timers.value.next }

    /// When the next timer or frame is due.
    var nextDue: Instant { min(timers.value.next, expectations.next) }

    /// The latest moment at which the loop must be free, so that no timer or frame is later than it
    /// may be; `distantFuture` if none says how late that is.
    var latestStart: Instant { min(timers.value.latest, expectations.latest) }

    /// Whether it's a frame that says so, and one that comes by a descriptor or not at all.
    func isSetByFrame(_ latestStart: Instant) -> Bool {
        latestStart == expectations.latest && latestStart < timers.value.latest
    }

    /// When the present pass before idle began.
    var lullStart: Instant {
        if let start = lull.start { return start }
        let now = clock.now
        lull.start = now
        return now
    }

    // MARK: - Timers

    /// Has `body` called at `instant` and, if it has a period, at multiples of that after it.
    func schedule(
        at instant: Instant, _ rhythm: TimerTable.Rhythm = .once, _ body: @escaping () -> Void
    ) -> TimerTable.ID {
        guard !isClosed else { return .none }
        // One armed for the past from inside a timer comes after all that is due already.
        let id = timers.value.add(at: max(instant, firingUntil ?? instant), rhythm, body)
        settle()
        return id
    }

    /// Takes a timer back; false if it fired already or was cancelled before.
    @discardableResult
    func cancel(_ timer: TimerTable.ID) -> Bool {
        let body = timers.value.remove(timer)
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
            guard timers.value.next <= time.now else { return false }
        }
        let now = clock.now
        let horizon = timers.value.horizon
        firingUntil = now
        defer { firingUntil = nil }
        var fired = false
        while let body = timers.value.popDue(at: now, before: horizon) {
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

    /// Readable when a timer is due.
    var alarmDescriptor: Int32 { alarm?.descriptor ?? -1 }

    /// Sets the timerfd if the earliest deadline is another than it was.
    func setAlarm() throws(LoopError) {
        guard timers.value.next != alarmSetting, case .monotonic = clock else { return }
        try alarm?.set(to: timers.value.next < .distantFuture ? timers.value.next : nil)
        alarmSetting = timers.value.next
    }

    /// Takes note that the alarm went off.
    func answerAlarm() {
        alarm?.answer()
        alarmWentOff = true
    }

    /// Gives a forked child an alarm of its own, which isn't set yet.
    func renewAlarm() throws(LoopError) {
        try alarm?.renew()
        alarmSetting = .distantFuture
        alarmWentOff = false
    }

    /// Takes no timers any more, and gives away all that there are, for their closures to be let go
    /// of.
    func closeTimers() -> TimerTable {
        alarm = nil
        var timers = TimerTable()
        swap(&self.timers.value, &timers)
        return timers
    }

    // MARK: - To be heard

    /// Notes that there is something to do in the next lull.
    ///
    /// A loop on a base of its own looks by itself.
    func wantIdle() {
        guard let host else { return }
        host.wantsIdle = true
        settle()
    }

    /// Counts a piece of work that is off the loop, or is no more.
    func countErrands(_ difference: Int) {
        guard let host else { return }
        host.errands += difference
        settle()
    }

    /// Brings a host's base up to date with what was said to the loop.
    @inline(__always)
    func settle() {
        if let host, !host.isInside { settle(host) }
    }

    func settle(_ host: Host) {
        do {
            try setAlarm()
            try host.settle(hasTimer: timers.value.next < .distantFuture)
        } catch {
            host.wake()  // out of memory: try again in the next pass, rather than sleep over it
        }
    }

    /// Runs `body` and notes what it was and how long it took.
    func record<Result>(_ work: Turn.Work, _ body: () throws -> Result) rethrows -> Result {
        let number = recorder?.begin(work, at: clock.now)
        defer { if let number { recorder?.end(number, at: clock.now) } }
        return try body()
    }
}

/// What a loop is up to.
struct Status {
    /// Whether work may go on: the loop runs, or its host does, and nobody has said stop.
    var mayWork = false
    var isInsideRun = false
    var isClosed = false
    /// Whether a turn is recorded, or the next will be.
    var isRecording = false
    var mode = LoopMode.default
}

// What changes in each pass.
extension LoopContext {
    var status: Status {
        @inline(__always) _read { yield statusCell.value }
        @inline(__always) _modify { yield &statusCell.value }
    }

    var counts: Statistics {
        @inline(__always) _read { yield countsCell.value }
        @inline(__always) _modify { yield &countsCell.value }
    }

    var lull: Lull {
        @inline(__always) _read { yield lullCell.value }
        @inline(__always) _modify { yield &lullCell.value }
    }

    var expectations: Expectations {
        @inline(__always) _read { yield expectationsCell.value }
        @inline(__always) _modify { yield &expectationsCell.value }
    }
}
