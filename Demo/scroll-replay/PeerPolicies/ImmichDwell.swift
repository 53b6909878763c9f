public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P15: waiting for the list to dwell (Immich's timeline, its pull request 22164).
///
/// While the user scrubs through the timeline nothing is loaded. Once the current row hasn't
/// changed for 150 ms, the rows on screen are loaded.
///
/// Here every motion is scrubbing, the current row is the first on screen, and the timer is checked
/// at frames.
public struct ImmichDwell: LoadingPolicy {
    /// The time for which the row must not have changed.
    public let dwell: Duration

    private var order = EntryOrder()
    private var first: Int?
    private var changed = Instant.zero

    /// Creates the rule with its dwell time.
    public init(dwell: Duration = .milliseconds(150)) {
        self.dwell = dwell
    }

    /// Returns the rows on screen, if the list dwells; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let visible = moment.viewport.visibleRows
        if visible.lowerBound != first {
            first = visible.lowerBound
            changed = moment.time
        }
        guard changed.duration(to: moment.time) >= dwell else {
            order.removeAll()
            return []
        }
        order.update(to: visible, isMovingDown: true)
        return order.wanted
    }
}
