public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P13: previews in Dolphin, the file manager of KDE (`KFileItemModelRolesUpdater`).
///
/// When the visible range changes everything pauses, until it hasn't changed for 50 ms. Then the
/// job under way is killed and a new one gets all that has no preview yet, in this order: the
/// visible files; up to five pages, and at most 250, after them; as many before them, the nearest
/// first; the last page; the first; then what follows and what precedes, until 500 are named in
/// all.
///
/// The timer is looked at in frames. Rows are files, none is a directory; the icons that Dolphin
/// finds for up to 200 ms at once are no previews.
public struct DolphinUpdater: LoadingPolicy {
    /// The time for which the range must have stayed the same.
    public let debounce: Duration
    /// The number of pages that are named after and before.
    public let pages: Int
    /// The most rows that those have.
    public let maximumAhead: Int
    /// The number of rows that are named in all.
    public let limit: Int

    private var visible: Range<Int>?
    private var changed: Instant?
    private var named: [Wanted<Int>] = []

    /// The rule with Dolphin's numbers.
    public init(
        debounce: Duration = .milliseconds(50), pages: Int = 5, maximumAhead: Int = 250,
        limit: Int = 500
    ) {
        self.debounce = debounce
        self.pages = pages
        self.maximumAhead = maximumAhead
        self.limit = limit
    }

    /// Returns the rows of the job at hand, none while it pauses; answers at frames.
    public mutating func wanted(
        after moment: ScrollMoment, loads: any LoadFacts
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let now = moment.viewport.visibleRows
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

    /// The rows in the order in which they're resolved.
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

    /// Its place in the job at hand.
    public func explanation(ofRow row: Int) -> String? {
        if changed != nil { return "paused until the range stays the same" }
        return named.firstIndex { $0.key == row }.map { "\($0 + 1). of \(named.count)" }
    }
}
