public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P1′: VVebo's gate with its errors corrected.
///
/// It differs from `VVebo` as follows: the rows beside the landing are added as far as there are
/// any; a fling's rows replace those of the one before; when the list comes to rest (a frame that
/// didn't move it, no finger down, 100 ms after it last moved) the gate opens and all rows on
/// screen are loaded; a cancelled touch ends a scroll to the top, too; and when rows change, the
/// landing is computed again. Still nothing is loaded before it is on screen: that is what
/// `within3` adds.
public struct VVeboFixed: LoadingPolicy {
    /// The minimum distance of a landing, in rows.
    public let threshold: Int
    /// The number of needed rows beside the landing, on the side that the list comes from.
    public let margin: Int
    /// The rows that are let through; nil if all are.
    public private(set) var needed: Range<Int>?

    private var requests = Requests()
    private var visible = 0..<0
    private var isScrollingToTop = false
    private var landing: (target: Double, isBelow: Bool)?

    /// Creates the rule with its threshold and margin.
    public init(threshold: Int = 8, margin: Int = 3) {
        self.threshold = threshold
        self.margin = margin
    }

    /// Returns the rows that were let through; answers at frames, and when all are let through.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        switch moment.event {
        case .frame: return frame(moment)
        case .down, .jumpEnded, .cancelled: return open(moment.viewport)
        case .up:
            guard let forecast = moment.forecast else { return open(moment.viewport) }
            let viewport = moment.viewport
            let target = viewport.visibleRows(at: forecast.target).lowerBound
            let distance = target - viewport.visibleRows.lowerBound
            guard abs(distance) > threshold else { return open(viewport) }
            landing = (forecast.target, distance > 0)
            lookUp(in: viewport)
            return nil
        case .jumpBegan:
            isScrollingToTop = true
            return nil
        case .changed(let shift):
            landing?.target += shift ?? 0
            lookUp(in: moment.viewport)
            return nil
        case .moved, .wheel, .key, nil: return nil
        }
    }

    /// Sets the rows that are needed at the fling's landing.
    private mutating func lookUp(in viewport: Viewport) {
        guard let landing else { return }
        let rows = viewport.visibleRows(at: landing.target).bounds
        needed =
            landing.isBelow
            ? max(0, rows.lowerBound - margin)..<rows.upperBound
            : rows.lowerBound..<min(viewport.list.rowCount, rows.upperBound + margin)
    }

    private mutating func frame(_ moment: ScrollState) -> [Wanted<Int>] {
        let now = moment.viewport.visibleRows.bounds
        requests.drop { !now.contains($0) }
        for row in now.along(isForward: moment.motion.isMovingDown) where !visible.contains(row) {
            if needed?.contains(row) ?? true, !isScrollingToTop { requests.ask(for: row) }
        }
        visible = now
        let isSettled = moment.motion.hasRested(for: .milliseconds(100), at: moment.now)
        if isSettled, !isScrollingToTop { _ = open(moment.viewport) }
        return requests.wanted()
    }

    private mutating func open(_ viewport: Viewport) -> [Wanted<Int>] {
        needed = nil
        landing = nil
        isScrollingToTop = false
        requests.ask(for: viewport.visibleRows.bounds)
        return requests.wanted()
    }

    /// Returns the state of the row at the gate; nil while the gate is open.
    public func explanation(ofRow row: Int) -> String? {
        needed.map { $0.contains(row) ? "on screen where the fling lands, or beside" : "passed by" }
    }
}
