/// A lull: the time between the moment the loop found nothing ready and the next thing due.
///
/// It is lent to a callback before idle for one call. What is known to be due comes from the
/// loop's own timers and frames, so `deadline` is exact; descriptors are of course not known beforehand,
/// nor are, on an adopted base, the timers that its host made with libevent.
public struct IdleSlot: ~Copyable {
    // A slot can't be copied, so it never outlives the call in which the loop lends it.
    private unowned(unsafe) let loop: LoopContext

    private let end: Instant?
    /// Whether the job runs now because it has waited past its timeout, whatever else is due.
    public let didTimeout: Bool

    /// The longest lull that is promised: what comes by descriptor shouldn't wait longer.
    package static let longest: Duration = .milliseconds(50)

    init(on loop: LoopContext, sliceEnd: Instant? = nil, didTimeout: Bool = false) {
        unsafe self.loop = loop
        self.didTimeout = didTimeout
        end = sliceEnd
    }

    /// The present moment.
    public var now: Instant { unsafe loop.clock.now }

    /// When the loop found nothing ready.
    package var start: Instant { unsafe loop.lullStart }

    /// When the earliest timer or frame is due, `distantFuture` if there is none.
    package var due: Instant { unsafe loop.nextDue }

    /// When the lull ends: the earliest timer or frame, at most 50 ms after its start.
    public var deadline: Instant { min(due, start.advanced(by: IdleSlot.longest)) }

    /// When a slice of work should end: as its queue is configured, else with the lull.
    public var sliceEnd: Instant { end ?? deadline }

    /// What is left of the lull, never negative.
    public var timeRemaining: Duration {
        didTimeout ? .zero : max(.zero, now.duration(to: deadline))
    }

    /// Whether a slice of work should end now.
    public var isOver: Bool { now >= sliceEnd }
}

/// What a callback before idle did with its turn.
public enum IdleResult: Sendable {
    /// There was nothing to do: as far as this one is concerned the loop may sleep.
    case nothing
    /// Some work was done: the loop polls, and comes again when nothing is ready.
    case worked
}
