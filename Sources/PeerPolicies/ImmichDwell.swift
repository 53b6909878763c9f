public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P15: waiting for the list to dwell (Immich's timeline, its pull request 22164).
///
/// While one scrubs through the timeline nothing is loaded; once the row it stands at hasn't
/// changed for 150 ms, what is on screen is.
///
/// Here every motion is scrubbing, the row is the first on screen, and the timer is looked at in
/// frames.
public struct ImmichDwell: LoadingPolicy {
    /// The time for which the row must have stayed the same.
    public let dwell: Duration

    private var numbers = EntryNumbers()
    private var first: Int?
    private var changed = Instant.zero

    /// The rule with its patience.
    public init(dwell: Duration = .milliseconds(150)) {
        self.dwell = dwell
    }

    /// Returns the rows on screen, if the list dwells; answers at frames.
    public mutating func wanted(
        after moment: ScrollMoment, loads: any LoadFacts
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let visible = moment.viewport.visibleRows
        if visible.lowerBound != first {
            first = visible.lowerBound
            changed = moment.time
        }
        guard changed.duration(to: moment.time) >= dwell else {
            numbers.forgetAll()
            return []
        }
        numbers.update(to: visible, isMovingDown: true)
        return numbers.wanted
    }
}
