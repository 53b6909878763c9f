public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P16: a stack of medical images (cornerstoneTools, its request pool and stack prefetch).
///
/// Requests have three classes: the displayed image, thumbnails, and prefetches. A scroll removes
/// the waiting requests of the first class, and requests the image that is now displayed.
/// Prefetching pauses while any of those is missing and for 50 ms after the last has arrived; then
/// its queue is rebuilt around the current image, the nearest first.
///
/// Here all rows on screen are displayed images, and there are no thumbnails. The original
/// prefetches the whole stack; as a list has more rows than a stack, here it is 200. The timer is
/// checked at frames.
public struct CornerstonePrefetch: LoadingPolicy {
    /// The maximum number of prefetched rows.
    public let stack: Int
    /// The pause of prefetching after the last image has arrived.
    public let pause: Duration

    private var shown: Range<Int>?
    private var complete: Instant?

    /// Creates the rule with its limits.
    public init(stack: Int = 200, pause: Duration = .milliseconds(50)) {
        self.stack = stack
        self.pause = pause
    }

    /// Returns the rows on screen, and those around once these are loaded; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let visible = moment.viewport.visibleRows.bounds
        if visible != shown {
            shown = visible
            complete = nil
        }
        let isComplete = visible.allSatisfy { loads.progress(ofRow: $0) == .settled }
        complete = isComplete ? complete ?? moment.time : nil
        let interaction = visible.map { Wanted($0, urgency: .visible, rank: $0) }
        guard let complete, complete.duration(to: moment.time) >= pause else {
            return interaction
        }
        let around = neighbours(of: visible, count: moment.viewport.list.rowCount)
        return interaction + around.enumerated().map { Wanted($1, urgency: .near, rank: $0) }
    }

    /// Returns the rows beside those on screen, the nearest first, those below before those above.
    private func neighbours(of visible: Range<Int>, count: Int) -> [Int] {
        var rows: [Int] = []
        var step = 0
        while rows.count < stack {
            let (below, above) = (visible.upperBound + step, visible.lowerBound - 1 - step)
            guard below < count || above >= 0 else { break }
            if below < count { rows.append(below) }
            if above >= 0, rows.count < stack { rows.append(above) }
            step += 1
        }
        return rows
    }
}
