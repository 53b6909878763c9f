internal import IdleLoop
package import ScrollModel

/// The rule `everything`: what is on screen, then all that is near it, the nearest first.
package struct EverythingNear: LoadingPolicy {
    /// Its reach on either side, in screens.
    private static let screens = 2.0

    /// A rule before the first frame.
    package init() {}

    /// Returns the rows on screen and around it; nil at events other than frames.
    package mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let viewport = moment.viewport
        let visible = viewport.visibleRows
        let reach = Self.screens * viewport.height
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
