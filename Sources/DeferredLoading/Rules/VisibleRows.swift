internal import IdleLoop
package import ScrollModel

/// The rule `visible`: what is on screen is wanted, first come first, and given up when it leaves.
///
/// What a list does that loads its cells when they appear and cancels when they go.
package struct VisibleRows: LoadingPolicy {
    private var numbers = EntryNumbers()

    /// The rule, before the first frame.
    package init() {}

    /// The rows on screen; answers at frames only.
    package mutating func wanted(
        after moment: ScrollMoment, loads: any LoadFacts
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        numbers.update(in: moment)
        return numbers.wanted
    }

    /// Whether it's on screen.
    package func explanation(ofRow row: Int) -> String? {
        numbers.contains(row) ? "on screen" : "not on screen"
    }
}
