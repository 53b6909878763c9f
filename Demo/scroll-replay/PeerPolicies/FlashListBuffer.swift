public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P8: FlashList's buffer (Shopify's FlashList 2, `RVEngagedIndicesTracker`).
///
/// The median of the last five speeds predicts where the list will be when the current rendering is
/// done. Around that viewport twice `drawDistance` px are rendered: 0.7 of them on the side of the
/// direction of most of the five, 0.3 on the other. The part that doesn't fit before the first row,
/// or after the last, is moved to the other side. 100 ms after the last scroll all five are
/// forgotten, except their direction.
///
/// Speeds are px per ms from frame to frame; rendering takes as long as the last five frames did on
/// average, 16 to 32 ms. The timer is checked at frames. Rows on screen are loaded first, then the
/// rest in the order in which they entered the buffer, the nearest first; rows that leave it are
/// cancelled.
public struct FlashListBuffer: LoadingPolicy {
    /// Half of the rendered distance off screen, in px.
    private static let drawDistance = 250.0

    private var requests = Requests()
    private var speeds: [Double] = []
    private var lastMoved: Instant?
    private var renderTimes: [Double] = []
    private var isBackward = false

    /// Creates the rule.
    public init() {}

    /// Returns the rendered rows; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        renderTimes =
            renderTimes.suffix(4) + [moment.time.duration(to: moment.now).inSeconds * 1e3]
        noteSpeed(moment)
        let viewport = moment.viewport
        let visible = viewport.visibleRows.bounds
        let (top, bottom) = buffer(of: viewport)
        let engaged = viewport.rows(from: top, to: bottom)
        requests.drop { !engaged.contains($0) }
        requests.ask(for: engaged.clamped(to: visible))
        for row in engaged where row >= visible.upperBound { requests.ask(for: row) }
        for row in engaged.reversed() where row < visible.lowerBound { requests.ask(for: row) }
        return requests.wanted { visible.contains($0) ? .visible : .near }
    }

    private mutating func noteSpeed(_ moment: ScrollState) {
        if moment.motion.lastStep.distance != 0 {
            lastMoved = moment.time
            speeds = speeds.suffix(4) + [moment.motion.frameVelocity / 1e3]
            isBackward = speeds.count { $0 < 0 } > speeds.count { $0 > 0 }
        } else if let lastMoved, moment.time - lastMoved >= .milliseconds(100) {
            speeds = []
        }
    }

    /// Returns the top and bottom of the rendered range, in px.
    private func buffer(of viewport: Viewport) -> (top: Double, bottom: Double) {
        let padded = (speeds + [0, 0, 0, 0, 0]).prefix(5).sorted()
        let average = renderTimes.reduce(0, +) / Double(renderTimes.count)
        let start = viewport.offset + padded[2] * min(max(average.rounded(), 16), 32)
        let before = (2 * Self.drawDistance * (isBackward ? 0.7 : 0.3)).rounded(.up)
        let after = (2 * Self.drawDistance * (isBackward ? 0.3 : 0.7)).rounded(.up)
        let end = start + viewport.height + after + max(0, before - start)
        let beyond = max(0, end - viewport.list.contentHeight)
        return (max(0, max(0, start - before) - beyond), end - beyond)
    }
}
