internal import IdleLoop
internal import LullLibC
package import ScrollModel

/// The rule `everything`: what is on screen, then all that is near it, the nearest first.
package struct EverythingNear: LoadingPolicy {
    /// Its reach on either side, in screens.
    private let screens: Double

    /// A rule with a distance in screens.
    package init(screens: Double = 2) {
        precondition(screens >= 0 && screens.isFinite, "a reach is finite and not negative")
        self.screens = screens
    }

    /// Returns the rows on screen and around it; nil at events other than frames.
    package mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let viewport = moment.viewport
        let visible = viewport.visibleRows
        let reach = screens * viewport.height
        let around = viewport.list.visibleRows(
            offset: viewport.offset - reach, height: viewport.height + 2 * reach)
        var near: [(row: Int, gap: Double)] = []
        for row in around where !visible.contains(row) {
            let extent = viewport.list.extent(ofRowAt: row)
            let (above, below) = (
                viewport.offset - extent.end, extent.offset - viewport.offset - viewport.height
            )
            near.append((row, max(above, below)))
        }
        near.sort { ($0.gap, $0.row) < ($1.gap, $1.row) }
        return visible.map { Wanted($0, urgency: .visible, rank: $0) }
            + near.enumerated().map { Wanted($1.row, urgency: .near, rank: $0) }
    }
}
