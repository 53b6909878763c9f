public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P5: the gap worker of Android's list (`RecyclerView.GapWorker`).
///
/// What is on screen is bound as it appears. After each frame that moved, the one row is looked at
/// that comes next: if it will be needed in the next frame, as its edge is no further away than the
/// list has just gone, it is prepared whatever it costs; if not, only if what rows have usually
/// cost (¾ of the old mean, ¼ of the new; what isn't known fits) still fits before the frame is
/// over.
///
/// Here binding is loading, in order of appearance and cancelled on leave. The deadline is the
/// frame's start and the shortest time seen from one to the next. What isn't prepared in time is
/// not wanted after the next frame. Created and bound are one cost; what is prepared is kept.
public struct GapWorker: LoadingPolicy {
    private var numbers = EntryNumbers()
    private var interval: Duration?
    /// The row that comes next, if there's time for it, and whether the next frame needs it.
    private var next: (row: Int, isNeeded: Bool)?

    /// The rule, before the first frame.
    public init() {}

    /// The rows on screen and maybe one more; answers at frames.
    public mutating func wanted(
        after moment: ScrollMoment, loads: any LoadFacts
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let time = moment.motion.lastStep.time
        if time > .zero { interval = min(interval ?? time, time) }
        let visible = moment.viewport.visibleRows
        numbers.update(in: moment)
        next = candidate(moment, loads, beside: visible)
        guard let next else { return numbers.wanted }
        let urgency: Urgency = next.isNeeded ? .approach : .near
        return numbers.wanted + [Wanted(next.row, urgency: urgency, rank: 0)]
    }

    private func candidate(
        _ moment: ScrollMoment, _ loads: any LoadFacts, beside visible: Range<Int>
    ) -> (row: Int, isNeeded: Bool)? {
        let viewport = moment.viewport
        guard moment.motion.hasMoved, !visible.isEmpty else { return nil }
        let row = moment.motion.isMovingDown ? visible.upperBound : visible.lowerBound - 1
        guard row >= 0, row < viewport.list.rowCount else { return nil }
        if viewport.gap(toRow: row) <= abs(moment.motion.lastStep.distance) { return (row, true) }
        let deadline = moment.time.advanced(by: interval ?? .zero)
        let cost = loads.usualCost ?? .zero
        return cost == .zero || moment.now.advanced(by: cost) < deadline ? (row, false) : nil
    }

    /// Whether it is prepared, and why.
    public func explanation(ofRow row: Int) -> String? {
        guard let next, next.row == row else { return nil }
        return next.isNeeded ? "needed in the next frame" : "there is time for it"
    }
}
