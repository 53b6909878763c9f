internal import DeferredLoading

/// The memory of the model of replays: so many rows are kept, and after a load others make room.
///
/// What isn't wanted goes first, then what is, each in the order in which it left the screen; of what
/// was never there the first row goes first. What is on screen stays, and so does what has just come.
/// When a row left the screen is remembered for the whole of a replay.
struct ReplayMemory {
    let capacity: Int
    private var kept: Set<Int> = []
    private var onScreen = 0..<0
    private var exits: [Int: Int] = [:]
    private var exitCount = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Takes in which rows are on screen now.
    mutating func show(_ rows: Range<Int>) {
        for row in onScreen where !rows.contains(row) {
            exitCount += 1
            exits[row] = exitCount
        }
        onScreen = rows
    }

    /// Keeps a row that has come, and returns those that make room for it.
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
