public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P7: prefetching as UIKit's lists do it (`UITableViewDataSourcePrefetching`).
///
/// Rows ahead, in the direction in which the list moves or moved last, are prefetched, the nearest
/// first and each once. When the direction turns, or a row is no longer near, its prefetch is
/// cancelled. Rows on screen go first.
///
/// UIKit's distance and order are not documented; here the distance is a screen. Rows on screen are
/// loaded from the top down, as a list asks for its cells, and cancelled as they leave. Before the
/// first scroll, ahead is down.
public struct UIKitPrefetch: LoadingPolicy {
    /// Creates the rule.
    public init() {}

    /// Returns the rows on screen and those ahead; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let viewport = moment.viewport
        let isForward = moment.motion.isMovingDown
        let visible = viewport.visibleRows.bounds
        let window = viewport.rows(ahead: viewport.height, behind: 0, isForward: isForward)
        let ahead = window.along(isForward: isForward).filter { !visible.contains($0) }
        // Ranks stay the same from frame to frame, so that no row changes its place.
        return visible.map { Wanted($0, urgency: .visible, rank: $0) }
            + ahead.map { Wanted($0, urgency: .near, rank: isForward ? $0 : -$0) }
    }
}
