internal import DeferredLoading
internal import ScrollModel

/// The memory of the model of replays: a limited number of rows, of which some are evicted after a
/// load.
///
/// Rows that aren't wanted are evicted first, then wanted ones, each in the order in which they
/// left the screen; of rows that were never visible, the first goes first. Visible rows and the
/// newest row stay. The order in which rows left the screen is remembered for the whole replay.
struct ReplayMemory {
    let capacity: Int
    private var kept: Set<Int> = []
    private var onScreen = RowSet(0..<0)
    private var exits: [Int: Int] = [:]
    private var exitCount = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Updates the visible rows.
    mutating func show(_ rows: RowSet) {
        for row in onScreen where !rows.contains(row) {
            exitCount += 1
            exits[row] = exitCount
        }
        onScreen = rows
    }

    /// Keeps a new row, and returns the rows that are evicted for it.
    mutating func keep(_ row: Int, besides wanted: [Wanted<Int>]) -> [Int] {
        kept.insert(row)
        guard kept.count > capacity else { return [] }
        let wanted = Set(wanted.map(\.key))
        let order = kept.filter { $0 != row && !onScreen.contains($0) }.sorted {
            let first = (wanted.contains($0) ? 1 : 0, exits[$0, default: 0], $0)
            return first < (wanted.contains($1) ? 1 : 0, exits[$1, default: 0], $1)
        }
        let gone = Array(order.prefix(kept.count - capacity))
        kept.subtract(gone)
        return gone
    }
}
