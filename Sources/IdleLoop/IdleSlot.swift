/// A lull: the time between the moment the loop found nothing ready and the next thing due.
///
/// It is lent to a callback before idle for one call. What is known to be due comes from the
/// loop's own timers, so `due` is exact; descriptors are of course not known beforehand.
public struct IdleSlot {
    let clock: LoopClock
    /// When the loop found nothing ready.
    public let start: Instant
    /// When the earliest timer is due, `distantFuture` if there is none.
    public let due: Instant
    /// When a slice of work should end.
    public internal(set) var sliceEnd: Instant

    /// The longest lull that is promised: what comes by descriptor shouldn't wait longer.
    public static let longest: Duration = .milliseconds(50)

    init(clock: LoopClock, start: Instant, due: Instant) {
        self.clock = clock
        self.start = start
        self.due = due
        sliceEnd = min(due, start.advanced(by: IdleSlot.longest))
    }

    /// The present moment.
    public var now: Instant { clock.now }

    /// When the lull ends: the earliest timer, at most 50 ms after its start.
    public var deadline: Instant { min(due, start.advanced(by: IdleSlot.longest)) }

    /// What is left of the lull, never negative.
    public var timeRemaining: Duration { max(.zero, now.duration(to: deadline)) }

    /// Whether a slice of work should end now.
    public var isOver: Bool { now >= sliceEnd }
}
