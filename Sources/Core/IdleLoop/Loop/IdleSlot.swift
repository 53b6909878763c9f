/// A lull: the time between the moment the loop found nothing ready and the next thing due.
///
/// It is passed to a callback before idle for the duration of the call. The due times are those of
/// the loop's own timers and frames, so `deadline` is exact. Events of descriptors can't be known
/// in advance, nor, with most hosts, the timers of a host's own.
public struct IdleSlot: ~Copyable, Sendable {
    // A slot can't be copied or kept: only the thread to which it's passed has it, for the call.
    private nonisolated(unsafe) unowned(unsafe) let loop: LoopContext?

    private let end: Instant?
    /// Whether a job runs on a lane, where no timer of the loop's matters.
    package let isOnLane: Bool
    /// Whether the job runs now because it has waited past its timeout, whatever else is due.
    public let didTimeout: Bool

    /// The longest lull that is promised, so that events of descriptors don't wait longer.
    package static let longest: Duration = .milliseconds(50)

    init(on loop: LoopContext, sliceEnd: Instant? = nil, didTimeout: Bool = false) {
        unsafe self.loop = loop
        self.didTimeout = didTimeout
        end = sliceEnd
        isOnLane = false
    }

    /// A slot on a lane, whose slice ends at a time; `loop` is only given on virtual time.
    init(onLaneUntil end: Instant, of loop: LoopContext?) {
        unsafe self.loop = loop
        self.end = end
        didTimeout = false
        isOnLane = true
    }

    /// The current time.
    package var now: Instant { unsafe loop?.clock.now ?? LoopClock.monotonic.now }

    /// The time at which the loop found nothing ready; on a lane, the current time.
    package var start: Instant {
        guard !isOnLane, let loop = unsafe loop else { return now }
        return loop.lullStart
    }

    /// The time at which the earliest timer or frame is due; `distantFuture` if there is none, and on a
    /// lane.
    package var due: Instant {
        guard !isOnLane, let loop = unsafe loop else { return .distantFuture }
        return loop.nextDue
    }

    /// The time at which the lull ends: the earliest timer or frame, at most 50 ms after its start.
    package var deadline: Instant { min(due, start.advanced(by: IdleSlot.longest)) }

    /// The time at which a slice of work should end: as its queue is configured, else the end of
    /// the lull.
    package var sliceEnd: Instant { end ?? deadline }

    /// The time left in the lull, never negative.
    package var timeRemaining: Duration {
        didTimeout ? .zero : max(.zero, now.duration(to: deadline))
    }

    /// Whether a slice of work should end now.
    public var isOver: Bool { now >= sliceEnd }

    /// Takes virtual time, as expensive work would; on the machine's clock it does nothing.
    ///
    /// It's ``VirtualTime/charge(_:)`` for jobs that can't have the time itself, since they may run
    /// anywhere.
    public func charge(_ cost: Duration) {
        if case .virtual(let time)? = unsafe loop?.clock { time.charge(cost) }
    }
}

/// The result of a callback before idle.
public enum IdleResult: Sendable {
    /// There was nothing to do: this callback lets the loop sleep.
    case nothing
    /// Some work was done: the loop polls, and calls again when nothing is ready.
    case worked
}
