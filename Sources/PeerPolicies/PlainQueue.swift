public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P17 and P18: a queue without second thoughts, first in first out, or last in first out.
///
/// A row that comes on screen is put into the queue, and stays until it is loaded, on screen or
/// not. What a list does that asks for its pictures and never takes that back: in a fling, rows
/// that left long ago keep those that rest on screen waiting, or, last in first out, are loaded
/// afterwards for nobody. The same with second thoughts are `visible` and `lifo`.
public struct PlainQueue: LoadingPolicy {
    /// The row of the queue that is loaded next.
    public enum Order: Sendable {
        /// The one that has waited longest.
        case firstIn
        /// The one that came last.
        case lastIn
    }

    /// The row that is loaded next.
    public let order: Order
    private var requests = Requests()
    private var visible = 0..<0

    /// The rule with its order.
    public init(_ order: Order) {
        self.order = order
    }

    /// The queue; answers at frames.
    public mutating func wanted(
        after moment: ScrollMoment, loads: any LoadFacts
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        requests.dropSettled(loads)
        let now = moment.viewport.visibleRows
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
