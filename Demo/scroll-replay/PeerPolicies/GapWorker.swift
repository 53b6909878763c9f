public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P5: the gap worker of Android's list (`RecyclerView.GapWorker`).
///
/// Rows on screen are bound as they appear. After each frame that moved, the next row is
/// considered. If it is needed in the next frame, as its edge is no further away than the list has
/// just moved, it is prepared whatever it costs. Otherwise it is prepared only if the usual cost of
/// a row (¾ of the old mean, ¼ of the new; an unknown cost fits) still fits before the end of the
/// frame.
///
/// Here binding is loading, in order of appearance and cancelled on leave. The deadline is the
/// frame's start plus the shortest time seen from one frame to the next. A row that isn't prepared
/// in time is not wanted after the next frame. Creating and binding are one cost; prepared rows are
/// kept.
public struct GapWorker: LoadingPolicy {
    private var order = EntryOrder()
    private var interval: Duration?
    /// The next row, if there is time for it, and whether the next frame needs it.
    private var next: (row: Int, isNeeded: Bool)?

    /// Creates the rule.
    public init() {}

    /// Returns the rows on screen and at most one more; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let time = moment.motion.lastStep.time
        if time > .zero { interval = min(interval ?? time, time) }
        let visible = moment.viewport.visibleRows.bounds
        order.update(in: moment)
        next = candidate(moment, loads, beside: visible)
        guard let next else { return order.wanted }
        let urgency: Urgency = next.isNeeded ? .approach : .near
        return order.wanted + [Wanted(next.row, urgency: urgency, rank: 0)]
    }

    private func candidate(
        _ moment: ScrollState, _ loads: any LoadStatus, beside visible: Range<Int>
    ) -> (row: Int, isNeeded: Bool)? {
        let viewport = moment.viewport
        guard moment.motion.lastStep.distance != 0, !visible.isEmpty else { return nil }
        let row = moment.motion.isMovingDown ? visible.upperBound : visible.lowerBound - 1
        guard row >= 0, row < viewport.list.rowCount else { return nil }
        if viewport.gap(toRow: row) <= abs(moment.motion.lastStep.distance) { return (row, true) }
        let deadline = moment.time.advanced(by: interval ?? .zero)
        let cost = loads.usualCost ?? .zero
        return cost == .zero || moment.now.advanced(by: cost) < deadline ? (row, false) : nil
    }

    /// Returns the reason why the row is prepared; nil for other rows.
    public func explanation(ofRow row: Int) -> String? {
        guard let next, next.row == row else { return nil }
        return next.isNeeded ? "needed in the next frame" : "there is time for it"
    }
}
