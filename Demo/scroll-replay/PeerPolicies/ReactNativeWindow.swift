public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P9: React Native's window of rows (`VirtualizedList`, `computeWindowedRenderLimits`).
///
/// Rows are rendered ten screens beyond either edge (`windowSize` 21), but no more than
/// `maxToRenderPerBatch` new ones every 50 ms: from the viewport outwards, on one side only while
/// the list moves faster than 1 px/ms that way. They are rendered at once if the end of the
/// rendered rows is on screen, or closer than a screen while the list moves faster than 2 px/ms
/// towards it. The first ten rows stay rendered for ever, so that they are there after a scroll to
/// the top.
///
/// A row is loaded when it is rendered, first come first served, though rows on screen go first,
/// and cancelled when it no longer is. The timer is checked at frames; an end of the rendered rows
/// is measured from its row's top edge, as in the original.
public struct ReactNativeWindow: LoadingPolicy {
    /// The number of screens that are rendered in all.
    public let windowSize: Double
    /// The maximum number of new rows that are rendered at once.
    public let maxToRenderPerBatch: Int
    /// The number of first rows that stay rendered.
    public let initialNumToRender: Int
    /// The time between two batches of rows.
    public let period: Duration

    /// The rendered rows, without the first ones; nil before the first frame.
    public private(set) var rendered: Range<Int>?
    private var requests = Requests()
    private var lastBatch: Instant?

    /// Creates the rule with React Native's defaults.
    public init(
        windowSize: Double = 21, maxToRenderPerBatch: Int = 10, initialNumToRender: Int = 10,
        period: Duration = .milliseconds(50)
    ) {
        self.windowSize = windowSize
        self.maxToRenderPerBatch = maxToRenderPerBatch
        self.initialNumToRender = initialNumToRender
        self.period = period
    }

    /// Returns the rendered rows; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let viewport = moment.viewport
        let count = viewport.list.rowCount
        guard count > 0 else { return [] }
        let initial = 0..<min(count, initialNumToRender)
        let before = rendered ?? initial
        let isDue = lastBatch.map { $0.duration(to: moment.time) >= period } ?? true
        if isDue || isUrgent(moment, before) {
            lastBatch = moment.time
            rendered = window(at: moment, after: before)
        }
        let rows = rendered ?? initial
        requests.drop { !rows.contains($0) && !initial.contains($0) }
        requests.ask(for: initial)
        requests.ask(for: rows)
        let visible = viewport.visibleRows.bounds
        return requests.wanted { visible.contains($0) ? .visible : .near }
    }

    /// Returns whether rows must be rendered without waiting for the next batch.
    private func isUrgent(_ moment: ScrollState, _ rendered: Range<Int>) -> Bool {
        let viewport = moment.viewport
        let speed = moment.motion.frameVelocity / 1e3
        let near = viewport.height
        let list = viewport.list
        if let first = rendered.first, first > 0 {
            let distance = viewport.offset - list.extent(ofRowAt: first).offset
            if distance < 0 || (speed < -2 && distance < near) { return true }
        }
        guard let last = rendered.last, last < list.rowCount - 1 else { return false }
        let distance = list.extent(ofRowAt: last).offset - viewport.bottom
        return distance < 0 || (speed > 2 && distance < near)
    }

    /// Returns the rows to render after `before`: those in view, and others around them up to the
    /// size of a batch.
    private func window(at moment: ScrollState, after before: Range<Int>) -> Range<Int> {
        let viewport = moment.viewport
        let reach = (windowSize - 1) / 2 * viewport.height
        let limit = viewport.rows(from: viewport.offset - reach, to: viewport.bottom + reach)
        var rows = viewport.visibleRows.bounds.clamped(to: limit)
        guard !rows.isEmpty else { return before }
        let speed = moment.motion.frameVelocity / 1e3
        var new = rows.count { !before.contains($0) }
        while rows != limit {
            let isFull = new >= maxToRenderPerBatch
            let above = rows.lowerBound - 1
            let below = rows.upperBound
            let isAboveNew = !before.contains(above)
            let isBelowNew = !before.contains(below)
            let goesUp = above >= limit.lowerBound && !(isFull && isAboveNew)
            let goesDown = below < limit.upperBound && !(isFull && isBelowNew)
            guard goesUp || goesDown else { break }
            if goesUp, !(speed > 1 && goesDown && isBelowNew) {
                rows = above..<rows.upperBound
                if isAboveNew { new += 1 }
            }
            if goesDown, !(speed < -1 && goesUp && isAboveNew) {
                rows = rows.lowerBound..<below + 1
                if isBelowNew { new += 1 }
            }
        }
        return rows
    }
}
