public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P1: VVebo's gate (VVeboTableViewDemo, `VVeboTableView`), unchanged, with its errors.
///
/// At the lift of a finger that flings the list more than eight rows, the rows that will be
/// on screen at its landing, and three more, are recorded as needed. As long as some are recorded,
/// other rows that come on screen stay blank. A touch clears them and loads the rows on screen;
/// coming to rest does not. While the list scrolls to its top, whatever comes on screen stays blank and
/// a touch does nothing; at its end, as at that of any jump, the rows on screen are loaded. Nothing is
/// loaded before it is on screen.
///
/// Its errors: the three rows are added all or not at all, so a landing whose first row is 3 gets
/// none above it; recorded rows are only added to, until a touch or a drag; a target outside of all
/// rows counts as row 0; wheels and keys open nothing. Here a drag begins with the finger's first
/// move, and loaded rows stay loaded.
public struct VVebo: LoadingPolicy {
    /// The side of the landing on which the three additional rows are.
    public enum Margin: Sendable, CaseIterable {
        /// The side that the list comes from, whose rows are visible just before it rests.
        case approach
        /// The side that the list moves towards.
        case ahead
        /// Both sides.
        case both
    }

    /// The side of the additional rows.
    public let margin: Margin
    /// The rows recorded as needed, in the order of recording.
    public private(set) var needed: [Int] = []

    private var requests = Requests()
    private var visible = 0..<0
    private var isDragging = false
    private var isScrollingToTop = false

    /// Creates the rule with its margin.
    public init(margin: Margin = .approach) {
        self.margin = margin
    }

    /// Returns the rows that were let through; answers at frames and touches.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        switch moment.event {
        case .frame: return frame(moment)
        case .down:
            guard !isScrollingToTop else { return nil }
            needed = []
            return loadVisible(moment.viewport)
        case .moved:
            if moment.motion.isTouched, !isDragging {
                isDragging = true
                needed = []
            }
            return nil
        case .up:
            isDragging = false
            if let forecast = moment.forecast { lift(forecast, in: moment.viewport) }
            return nil
        case .cancelled:
            isDragging = false
            return nil
        case .jumpBegan(let target):
            isScrollingToTop = target <= 0
            return nil
        case .jumpEnded:
            isScrollingToTop = false
            return loadVisible(moment.viewport)
        case .wheel, .key, .changed, nil: return nil
        }
    }

    private mutating func frame(_ moment: ScrollState) -> [Wanted<Int>] {
        let now = moment.viewport.visibleRows.bounds
        requests.drop { !now.contains($0) }
        for row in now.along(isForward: moment.motion.isMovingDown) where !visible.contains(row) {
            guard needed.isEmpty || needed.contains(row), !isScrollingToTop else { continue }
            requests.ask(for: row)
        }
        visible = now
        return requests.wanted()
    }

    private mutating func loadVisible(_ viewport: Viewport) -> [Wanted<Int>] {
        requests.ask(for: viewport.visibleRows.bounds)
        return requests.wanted()
    }

    private mutating func lift(_ forecast: FlingForecast, in viewport: Viewport) {
        let list = viewport.list
        let target = list.position(at: forecast.target) ?? 0
        guard abs(viewport.visibleRows.bounds.lowerBound - target) > 8 else { return }
        let landing = viewport.rows(
            from: forecast.target, to: forecast.target + viewport.height)
        guard let first = landing.first, let last = landing.last else { return }
        needed += landing
        let comesFromBelow = forecast.velocity < 0
        if margin == .both || (margin == .approach) == comesFromBelow, last + 3 < list.rowCount {
            needed += last + 1...last + 3
        }
        if margin == .both || (margin == .approach) != comesFromBelow, first > 3 {
            needed += first - 3..<first
        }
    }

    /// Returns the state of the row at the gate; nil while the gate is open.
    public func explanation(ofRow row: Int) -> String? {
        if isScrollingToTop { return "passed on the way to the top" }
        guard !needed.isEmpty else { return nil }
        return needed.contains(row) ? "on screen where the fling lands, or beside" : "passed by"
    }
}
