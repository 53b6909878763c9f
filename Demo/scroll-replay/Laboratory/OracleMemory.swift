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

    /// Keeps a row that is kept to the end of another stay; returns false if it isn't kept.
    mutating func renew(_ row: Int, until end: Int) -> Bool {
        guard let place = kept.firstIndex(where: { $0.row == row }) else { return false }
        kept.remove(at: place)
        keep(row, until: end, at: 0)
        return true
    }

    /// Keeps a row that isn't kept to the end of a stay; rows whose stays were over in `frame` make
    /// room.
    mutating func keep(_ row: Int, until end: Int, at frame: Int) {
        while kept.count >= capacity, let first = kept.first, first.end <= frame {
            kept.removeFirst()
        }
        var (low, high) = (0, kept.count)
        while low < high {
            let middle = (low + high) / 2
            if kept[middle].end > end { high = middle } else { low = middle + 1 }
        }
        kept.insert((row, end), at: low)
    }
}
