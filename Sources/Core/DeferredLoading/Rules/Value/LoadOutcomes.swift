internal import ScrollModel

/// The use of rows that were loaded before they came into view: a budget for guesses.
///
/// A row that the list has left behind without showing it was loaded in vain. Where many are, rows
/// that are less likely to be seen aren't loaded any more; where nearly all are seen, more are.
struct LoadOutcomes {
    /// The factor by which what happened before a gesture counts less.
    private static let decay = 0.85
    /// The number of rows for which the assumed share counts.
    private static let prior = 12.0
    /// The rows that are remembered at most.
    private static let most = 1_000

    /// The rows that were wanted and have not been in view yet.
    private var pending: Set<Int> = []
    private var visible = RowSet(0..<0)
    private var seen = 0.0
    private var wasted = 0.0

    /// Returns the share of loaded rows that were recently loaded in vain.
    func waste(inFling: Bool = false) -> Double {
        let first = inFling ? ValueTuning.firstWasteInFlings : ValueTuning.firstWaste
        return (wasted + first * Self.prior) / (seen + wasted + Self.prior)
    }

    /// Records the rows in view.
    mutating func note(visible rows: RowSet) {
        guard rows != visible else { return }
        for row in rows where !visible.contains(row) {
            seen += 1
            pending.remove(row)
        }
        visible = rows
    }

    /// Adds rows that are wanted.
    mutating func add(_ wanted: [Wanted<Int>]) {
        for wish in wanted where !visible.contains(wish.key) && pending.count < Self.most {
            pending.insert(wish.key)
        }
    }

    /// Counts the rows that a gesture has left behind, of those that were loaded.
    mutating func judge(in viewport: Viewport, _ facts: any LoadStatus) {
        seen *= Self.decay
        wasted *= Self.decay
        let reach = ValueTuning.reach * viewport.height
        let rows = viewport.list.visibleRows(
            offset: viewport.offset - reach, height: viewport.height + 2 * reach)
        for row in pending where !rows.contains(row) {
            pending.remove(row)
            if facts.progress(ofRow: row) == .settled { wasted += 1 }
        }
    }

    /// Forgets the rows, since their numbers have changed.
    mutating func restart() {
        pending = []
        visible = RowSet(0..<0)
    }
}
