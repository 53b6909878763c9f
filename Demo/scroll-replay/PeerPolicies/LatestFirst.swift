public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// The rule `lifo`: rows on screen are wanted, last come first, and cancelled when they leave.
///
/// As in image loaders that put new requests before the old ones. In a fling
/// this loads the rows that will be visible for the longest time, while first come first served
/// loads those that are about to leave.
public struct LatestFirst: LoadingPolicy {
    private var order = EntryOrder()

    /// Creates the rule.
    public init() {}

    /// Returns the rows on screen; answers at frames only.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        order.update(in: moment)
        return order.wanted.reversed().map {
            Wanted($0.key, urgency: .visible, rank: -$0.rank)
        }
    }
}
