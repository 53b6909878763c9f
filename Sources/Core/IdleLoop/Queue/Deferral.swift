internal import LullLibC

/// The deferral of a queue's jobs while its loop is never idle: until when, and for how long they
/// run then.
struct Deferral {
    /// The time after which jobs run without a lull; `distantFuture` if none is deferred.
    private(set) var end = Instant.distantFuture
    /// The end of the lull into which no job fits; nil if one does.
    var held: Instant?
    /// The time for which jobs are deferred at most; nil if there is no limit.
    private let limit: Int64?
    private var lastLull = Instant.zero
    /// The time at which deferred jobs last ran, if there was no lull since.
    private var lastRun: Instant?

    /// The longest pass that counts in full: in a longer one, the process was stopped or a callback
    /// hung.
    private static let longestPass: Int64 = 50_000_000

    init(limit: Duration?) {
        precondition(limit.map { $0 > .zero } ?? true, "jobs are put off for longer than zero")
        self.limit = limit?.wholeNanoseconds
    }

    /// Notes that jobs run in a lull.
    mutating func noteLull(at now: Instant) {
        forgetHeld()
        lastLull = now
        lastRun = nil
    }

    /// Begins the deferral anew if jobs were held back: there is another job, or a lull.
    mutating func forgetHeld() {
        guard held != nil else { return }
        held = nil
        end = .distantFuture
    }

    /// Begins the deferral if jobs wait and may run, and ends it otherwise.
    @inline(__always)
    mutating func update(isWaiting: Bool, on loop: LoopContext) {
        guard let limit else { return }
        guard isWaiting else {
            end = .distantFuture
            lastRun = nil
            return
        }
        guard end == .distantFuture else { return }
        // An idle loop that holds jobs back isn't woken only to find that.
        end = loop.clock.now.later(by: limit)
        if let held { end = max(end, held) }
    }

    /// Returns the time until which jobs run from `now` on, as the loop hasn't been idle for so long,
    /// and in each pass from then on: a batch, or half the duration of the previous pass.
    ///
    /// Where the loop was idle meanwhile, it's nil, and the deferral goes on. One job in each pass would
    /// be almost no progress where passes are long.
    mutating func runEnd(from now: Instant, lastWake: Instant, batch: Int64) -> Instant? {
        end = max(lastLull, lastWake).later(by: limit ?? 0)  // a loop that has slept was idle
        guard end <= now else { return nil }
        let pass = min(lastRun.map { now.since($0) } ?? 0, Self.longestPass)
        return now.later(by: max(batch, pass / 2))
    }

    /// Notes that deferred jobs ran until `moment`; they run again in the next pass.
    mutating func noteRun(until moment: Instant) {
        lastRun = moment
        end = moment
    }
}
