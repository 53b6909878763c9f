public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P6: Glide's preloader (`ListPreloader`, as `RecyclerViewPreloader` drives it).
///
/// When the first row on screen changes, the next ten rows in that direction are
/// requested, beginning where the last such request ended; a change of direction cancels all of
/// them. There are eleven targets. A request that needs one more takes the oldest's,
/// which is cancelled.
///
/// Its errors are kept: the adapter counts one row too few on screen, so that the window downwards
/// begins with the last row on screen; nothing is requested before the first scroll; the end of the
/// last request is remembered across a change of direction. Upwards the window ends before the
/// first row. Here rows on screen go first, in order of appearance, and are cancelled on leave.
public struct GlidePreloader: LoadingPolicy {
    /// The number of rows that are requested ahead.
    private static let maxPreload = 10
    /// The rows whose targets are in use, the oldest first.
    public private(set) var targets: [Int] = []

    private var shown = EntryOrder()
    private var asked = Requests()
    private var first: Int?
    private var isIncreasing = true
    private var last = (start: 0, end: 0)

    /// Creates the rule.
    public init() {}

    /// Returns the rows on screen and those requested ahead; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let visible = moment.viewport.visibleRows.bounds
        shown.update(in: moment)
        if let before = first, visible.lowerBound != before {
            preload(visible, isIncreasing: visible.lowerBound > before, of: moment)
        }
        first = visible.lowerBound
        asked.drop { !targets.contains($0) }
        return shown.wanted + asked.wanted(.near).filter { !visible.contains($0.key) }
    }

    private mutating func preload(
        _ visible: Range<Int>, isIncreasing: Bool, of moment: ScrollState
    ) {
        if isIncreasing != self.isIncreasing {
            self.isIncreasing = isIncreasing
            targets = []
        }
        let count = moment.viewport.list.rowCount
        let first = visible.lowerBound
        let visibleCount = max(0, visible.count - 1)
        let start = isIncreasing ? max(last.end, first + visibleCount) : first - Self.maxPreload
        let end = isIncreasing ? first + visibleCount + Self.maxPreload : min(last.start, first)
        last = (min(count, max(0, start)), min(count, end))
        guard last.start < last.end else { return }
        for row in (last.start..<last.end).along(isForward: isIncreasing) {
            targets.removeAll { $0 == row }
            targets.append(row)
            asked.ask(for: row)
            if targets.count > Self.maxPreload + 1 { targets.removeFirst() }
        }
    }

    /// Returns a text for rows that are requested ahead; nil for others.
    public func explanation(ofRow row: Int) -> String? {
        targets.contains(row) ? "preloaded" : nil
    }
}
