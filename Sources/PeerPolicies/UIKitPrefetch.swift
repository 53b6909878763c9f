public import DeferredLoading
internal import IdleLoop
internal import ScrollModel

/// P7: prefetching as UIKit's lists do it (`UITableViewDataSourcePrefetching`).
///
/// As the list scrolls, rows that lie ahead, in the direction in which it moves, are prefetched,
/// the nearest first and each once. When the direction turns, or a row is no longer near, its
/// prefetch is cancelled. Rows on screen are loaded as they appear and cancelled as they leave.
///
/// How far UIKit looks is nowhere said; here it is a screen. At rest what was asked for goes on.
public struct UIKitPrefetch: LoadingPolicy {
    /// How far ahead rows are prefetched, in screens.
    public let screens: Double

    private var motion = Motion()
    private var shown = Requests()
    private var ahead = Requests()

    /// The rule with its reach.
    public init(screens: Double = 1) {
        self.screens = screens
    }

    /// What is on screen and ahead; answers at frames.
    public mutating func wanted(after moment: ScrollMoment) -> [Wanted<Int>]? {
        motion.note(moment)
        guard case .frame = moment.event else { return nil }
        let viewport = moment.viewport
        let visible = viewport.visibleRows
        shown.drop { !visible.contains($0) }
        shown.ask(for: visible.along(isForward: motion.isForward))
        if motion.hasMoved {
            let window = viewport.rows(
                ahead: screens * viewport.height, behind: 0, isForward: motion.isForward)
            ahead.drop { !window.contains($0) || visible.contains($0) }
            for row in window.along(isForward: motion.isForward) where !visible.contains(row) {
                ahead.ask(for: row)
            }
        }
        return shown.wanted() + ahead.wanted(.near)
    }
}
