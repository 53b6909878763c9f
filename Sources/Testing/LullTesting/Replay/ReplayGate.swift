public import IdleLoop

/// A gate that decides whether the next slice of a load may begin, for strategies of other systems
/// that an idle queue's configuration can't express.
///
/// The replay asks it before idle, when there is nothing else to do, and suspends its queue if the
/// answer is no. It asks again after a frame, an input, or at the time that the gate returned. Each
/// replay has a copy of the gate in its options.
public protocol ReplayGate: Sendable {
    /// Records an event of the replay.
    mutating func note(_ event: ReplayGateEvent, at time: Instant)

    /// Returns the time until which no slice may begin unless something happens before,
    /// `distantFuture` for no limit; nil if one may begin now.
    ///
    /// `cost` returns the remaining cost of the next load, if it is known.
    func closedUntil(at now: Instant, cost: () -> Duration?) -> Instant?
}

/// An event that a gate is told of.
public enum ReplayGateEvent: Sendable {
    /// A frame has ended, or playback begins; the next frame, if there is one, is due at `next`.
    case frameEnded(next: Instant?)
    /// An input has arrived.
    case input(Trace.Input)
    /// A slice begins.
    case sliceBegan
    /// A row is loaded, after this time on the loop.
    case finished(cost: Duration)
}
