public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P13: previews in Dolphin, the file manager of KDE (`KFileItemModelRolesUpdater`).
///
/// When the visible range changes, all work pauses until the range hasn't changed for 50 ms. Then
/// the current job is killed and a new one gets all files without a preview, in this order: the
/// visible files; up to five pages, and at most 250 files, after them; as many before them, the
/// nearest first; the last page; the first; then the files that follow and that precede, up to 500
/// in all.
///
/// The timer is checked at frames. Rows are files, none is a directory; the icons that Dolphin
/// determines synchronously for up to 200 ms are no previews.
public struct DolphinUpdater: LoadingPolicy {
    /// The time for which the range must not have changed.
    public let debounce: Duration
    /// The number of pages included after and before the visible rows.
    public let pages: Int
    /// The maximum number of rows in those pages.
    public let maximumAhead: Int
    /// The maximum number of rows in all.
    public let limit: Int

    private var visible: Range<Int>?
    private var changed: Instant?
    private var named: [Wanted<Int>] = []

    /// Creates the rule with Dolphin's numbers.
    public init(
        debounce: Duration = .milliseconds(50), pages: Int = 5, maximumAhead: Int = 250,
        limit: Int = 500
    ) {
        self.debounce = debounce
        self.pages = pages
        self.maximumAhead = maximumAhead
        self.limit = limit
    }

    /// Returns the rows of the current job, none during a pause; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let now = moment.viewport.visibleRows.bounds
        if now != visible {
            visible = now
            changed = moment.time
            named = []
            return []
        }
        guard let changed, changed.duration(to: moment.time) >= debounce else { return nil }
        self.changed = nil
        named = order(around: now, of: moment.viewport.list.rowCount)
            .filter { loads.progress(ofRow: $0) != .settled }
            .enumerated().map { place, row in
                Wanted(row, urgency: now.contains(row) ? .visible : .near, rank: place)
            }
        return named
    }

    /// Returns the rows in the order in which they are resolved.
    private func order(around visible: Range<Int>, of count: Int) -> [Int] {
        let page = visible.count
        let ahead = min(pages * page, maximumAhead)
        let end = min(count, visible.upperBound + ahead)
        let start = max(0, visible.lowerBound - ahead)
        var rows = Array(visible)
        rows += visible.upperBound..<end
        rows += (start..<visible.lowerBound).reversed()
        let lastPage = max(end, count - page)..<count
        rows += lastPage
        let firstPage = 0..<min(page, start)
        rows += firstPage
        rows += (end..<lastPage.lowerBound).prefix(max(0, limit - rows.count))
        rows += (firstPage.upperBound..<start).reversed().prefix(max(0, limit - rows.count))
        return rows
    }

    /// Returns the row's place in the current job.
    public func explanation(ofRow row: Int) -> String? {
        if changed != nil { return "paused until the range stays the same" }
        return named.firstIndex { $0.key == row }.map { "\($0 + 1). of \(named.count)" }
    }
}
