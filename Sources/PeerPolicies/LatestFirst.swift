public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// The rule `lifo`: what is on screen is wanted, last come first, and given up when it leaves.
///
/// P18 with second thoughts: what image loaders do that put new requests on top of the old ones. In
/// a fling this loads what will be seen for the longest time, where first come first served loads
/// what is about to leave.
public struct LatestFirst: LoadingPolicy {
    private var numbers = EntryNumbers()

    /// The rule, before the first frame.
    public init() {}

    /// The rows on screen; answers at frames only.
    public mutating func wanted(
        after moment: ScrollMoment, loads: any LoadFacts
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        numbers.update(in: moment)
        return numbers.wanted.reversed().map {
            Wanted($0.key, urgency: .visible, rank: -$0.rank)
        }
    }
}
