internal import IdleLoop
package import ScrollModel

/// The rule `visible`: the rows on screen are wanted, first in, first out, and abandoned when they
/// leave.
///
/// The behaviour of a list that loads cells when they appear and cancels when they go.
package struct VisibleRows: LoadingPolicy {
    private var order = EntryOrder()

    /// A rule before the first frame.
    package init() {}

    /// Returns the rows on screen; nil at events other than frames.
    package mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        order.update(in: moment)
        return order.wanted
    }

    /// Returns whether a row is on screen.
    package func explanation(ofRow row: Int) -> String? {
        order.contains(row) ? "on screen" : "not on screen"
    }
}
