internal import IdleLoop
package import ScrollModel

/// The rule `visible`: the rows on screen are wanted, first in, first out, and abandoned when they
/// leave.
///
/// A list works this way if it loads cells when they appear and cancels when they disappear.
package struct VisibleRows: LoadingPolicy {
    private var numbers = EntryNumbers()

    /// A rule before the first frame.
    package init() {}

    /// Returns the rows on screen; nil at events other than frames.
    package mutating func wanted(
        after moment: ScrollMoment, loads: any LoadFacts
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        numbers.update(in: moment)
        return numbers.wanted
    }

    /// Returns whether a row is on screen.
    package func explanation(ofRow row: Int) -> String? {
        numbers.contains(row) ? "on screen" : "not on screen"
    }
}
