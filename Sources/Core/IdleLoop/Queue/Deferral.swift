internal import LullLibC

/// The deferral of a queue's jobs while its loop is never idle: until when, and for how long they
/// run then.
///
/// Its times are in nanoseconds, since it is told of each pass in which jobs run.
struct Deferral {
    /// The time of the next check; nil if no job is deferred.
    private(set) var next: Instant?
    /// The time for which jobs are deferred at most.
    private let limit: Int64
    private var lastWorked = Instant.zero
    /// The time at which deferred jobs last ran, in a loop that hasn't been idle since.
    private var lastRun: Instant?
    /// The interval between two checks while an idle loop holds jobs back; zero if it doesn't.
    private var interval: Int64 = 0
    /// The count of slices at the last check.
    private var slices = 0

    /// The longest pass that counts in full: in a longer one, the process was stopped or a callback
    /// hung.
    private static let longestPass: Int64 = 50_000_000

    init(limit: Duration) {
        precondition(limit > .zero, "jobs are put off for longer than zero")
        self.limit = limit.wholeNanoseconds
    }

    /// Whether an idle loop holds jobs back, so that they are checked less and less often.
    var isExtended: Bool { interval > 0 }

    /// Notes that jobs run in a lull.
    mutating func noteLull(at now: Instant) {
        lastWorked = now
        lastRun = nil
    }

    /// Begins the deferral anew.
    mutating func restart(at now: Instant, slices: Int) {
        noteLull(at: now)
        reset(slices)
        next = now.later(by: limit)
    }

    /// Ends the deferral, as there is no job, or none may run.
    mutating func stop() { next = nil }

    /// Returns whether the deferred jobs run now; otherwise sets the time of the next check.
    mutating func isOver(at now: Instant, lastWake: Instant, slices: Int) -> Bool {
        // A loop that sleeps is idle.
        let end = max(lastWorked, lastWake).later(by: limit)
        guard end > now else { return true }
        guard self.slices == slices else {
            reset(slices)
            next = end
            return false
        }
        // The loop was idle, and no job fits before a timer is due: the interval grows, so that the
        // loop isn't woken again and again for the same result.
        interval = max(limit, 2 * min(interval, .max / 2))
        next = now.later(by: interval)
        return false
    }

    /// Returns the time until which deferred jobs run from `start` on: a batch, or half the
    /// duration of the previous pass.
    ///
    /// One job in each pass would be almost no progress where passes are long.
    func runEnd(from start: Instant, batch: Int64) -> Instant {
        let pass = min(lastRun.map { start.since($0) } ?? 0, Self.longestPass)
        return start.later(by: max(batch, pass / 2))
    }

    /// Notes that deferred jobs ran until `end`; they run again in the next pass.
    mutating func noteRun(until end: Instant, slices: Int) {
        lastRun = end
        next = end
        reset(slices)
    }

    private mutating func reset(_ slices: Int) {
        interval = 0
        self.slices = slices
    }
}
