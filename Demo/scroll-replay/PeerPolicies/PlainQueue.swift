public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P17 and P18: a queue without cancellation, first in first out, or last in first out.
///
/// A row that comes on screen is queued, and stays in the queue until it is loaded, on screen or
/// not. This is the behaviour of a list that requests its pictures and never cancels a request. In
/// a fling, rows that left long ago delay those that rest on screen, or, last in first out, are
/// loaded afterwards in vain. The same rules with cancellation are `visible` and `lifo`.
public struct PlainQueue: LoadingPolicy {
    /// The row of the queue that is loaded next.
    public enum Order: Sendable {
        /// The row that has waited longest.
        case firstIn
        /// The row that came last.
        case lastIn
    }

    /// The row that is loaded next.
    public let order: Order
    private var requests = Requests()
    private var visible = 0..<0

    /// Creates the rule with its order.
    public init(_ order: Order) {
        self.order = order
    }

    /// Returns the queue; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        requests.dropSettled(loads)
        let now = moment.viewport.visibleRows.bounds
        for row in now.along(isForward: moment.motion.isMovingDown) where !visible.contains(row) {
            guard loads.progress(ofRow: row) != .settled else { continue }
            requests.ask(for: row)
        }
        visible = now
        let wanted = requests.wanted()
        guard order == .lastIn else { return wanted }
        return wanted.reversed().map { Wanted($0.key, urgency: .visible, rank: -$0.rank) }
    }
}
