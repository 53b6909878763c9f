/// The loaded rows of a plan, if only a limited number of them is kept.
struct OracleMemory {
    private let capacity: Int
    /// The rows with the ends of the stays for which they are kept, as numbers of frames, in
    /// ascending order of these.
    private var kept: [(row: Int, end: Int)] = []

    /// Creates a memory for some rows, at least one.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// The first frame in which there is room for another row.
    var firstRoom: Int { kept.count < capacity ? 0 : kept[kept.count - capacity].end }

    /// Returns whether a row is kept.
    func contains(_ row: Int) -> Bool { kept.contains { $0.row == row } }

    /// Keeps a row to the end of a stay; rows whose stays were over in `frame` make room.
    mutating func keep(_ row: Int, until end: Int, at frame: Int) {
        kept.removeAll { $0.row == row }
        while kept.count >= capacity, let first = kept.first, first.end <= frame {
            kept.removeFirst()
        }
        kept.insert((row, end), at: kept.firstIndex { $0.end > end } ?? kept.count)
    }
}
