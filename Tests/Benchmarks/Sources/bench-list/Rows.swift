import CWorkloads
import Glibc
import ScrollModel
import Workloads

/// R1 to R5: rows of random heights, from a thousand to ten million.
struct Rows {
    static let sizes = [(1_000, "n=10^3"), (100_000, "n=10^5"), (10_000_000, "n=10^7")]

    private let questions = 1_000_000

    func heights(_ count: Int) -> [Double] {
        var random = SplitMix64(seed: 4)
        return (0..<count).map { _ in Double(20 + random.next() % 400) / 4 }
    }

    /// Where the questions are, as shares of a whole.
    var places: [Double] {
        var random = SplitMix64(seed: 5)
        return (0..<questions).map { _ in Double(random.next() >> 11) / Double(1 << 53) }
    }

    func time(_ body: () throws -> Void) rethrows -> Double {
        let start = now()
        try body()
        return Double(now() - start)
    }

    // MARK: - R1, lookup

    func lookupInList() throws {
        for (count, name) in Self.sizes {
            try lookup(in: RowHeights(heights(count)), name)
        }
        try lookup(in: RowHeights(count: 1_000_000_000, height: 44), "10^9 equal")
    }

    private func lookup(in list: RowHeights, _ name: String) {
        let offsets = places.map { $0 * list.contentHeight }
        let rows = places.map { Int($0 * Double(list.count)) }
        var (found, sum) = (0, 0.0)
        let rowAt = time { for offset in offsets { found &+= list.row(at: offset) ?? 0 } }
        let offsetOf = time { for row in rows { sum += list.offset(ofRow: row) } }
        keep(found, sum)
        report("R1", name, "row_at_ns", rowAt / Double(questions))
        report("R1", name, "offset_ns", offsetOf / Double(questions))
    }

    func lookupInArray() {
        for (count, name) in Self.sizes {
            let sums = PrefixSums(heights(count))
            let offsets = places.map { $0 * Double(sums.total) / 1024 }
            let rows = places.map { Int($0 * Double(count)) }
            var (found, sum) = (0, 0.0)
            let rowAt = time { for offset in offsets { found &+= sums.row(at: offset) } }
            let offsetOf = time { for row in rows { sum += sums.offset(ofRow: row) } }
            keep(found, sum)
            report("R1", name, "row_at_ns", rowAt / Double(questions))
            report("R1", name, "offset_ns", offsetOf / Double(questions))
        }
    }

    // MARK: - R2, edits

    func editList() throws {
        for (count, name) in Self.sizes {
            var list = try RowHeights(heights(count))
            let rows = places.prefix(300_000).map { Int($0 * Double(count)) }
            let each = Double(rows.count)
            let change = try time {
                for row in rows { try list.setHeight(Double(row & 127), ofRow: row) }
            }
            let insert = try time { for row in rows { try list.insert(height: 30.5, at: row) } }
            let remove = time { for row in rows { list.remove(row..<row + 1) } }
            report("R2", name, "change_ns", change / each)
            report("R2", name, "insert_ns", insert / each)
            report("R2", name, "remove_ns", remove / each)
        }
    }

    func editArray() {
        for (count, name) in Self.sizes {
            let heights = heights(count)
            let times = max(3, 3_000_000 / count)
            let build = time { for _ in 0..<times { keep(PrefixSums(heights).count, 0) } }
            for unit in ["change_ns", "insert_ns", "remove_ns"] {
                report("R2", name, unit, build / Double(times))
            }
        }
    }

    // MARK: - R3, building

    func buildList() throws {
        for (count, name) in Self.sizes {
            let heights = heights(count)
            let times = max(3, 3_000_000 / count)
            let build = try time {
                for _ in 0..<times { keep(try RowHeights(heights).count, 0) }
            }
            report("R3", name, "ns_per_row", build / Double(times * count))
        }
    }

    func buildArray() {
        for (count, name) in Self.sizes {
            let heights = heights(count)
            let times = max(3, 3_000_000 / count)
            let copy = time {
                for _ in 0..<times { keep(Array(heights[...].lazy.map { $0 }).count, 0) }
            }
            report("R3", name, "ns_per_row", copy / Double(times * count))
        }
    }

    // MARK: - R4, memory

    func measureList() throws {
        for (count, name) in Self.sizes {
            let heights = heights(count)
            let before = allocated
            let list = try RowHeights(heights)
            let bytes = allocated - before
            withExtendedLifetime((list, heights)) {
                report("R4", name, "bytes_per_row", Double(bytes) / Double(count))
            }
        }
        let before = allocated
        let equal = try RowHeights(count: 1_000_000_000, height: 44)
        let bytes = allocated - before
        withExtendedLifetime(equal) { report("R4", "10^9 equal", "bytes_in_all", Double(bytes)) }
    }

    func measureArray() {
        for (count, name) in Self.sizes {
            let heights = heights(count)
            let before = allocated
            let sums = PrefixSums(heights)
            let bytes = allocated - before
            withExtendedLifetime((sums, heights)) {
                report("R4", name, "bytes_per_row", Double(bytes) / Double(count))
            }
        }
    }

    /// The bytes that are allocated now.
    var allocated: Int { Int(allocated_bytes()) }
}

/// The sorted array.
struct PrefixSums {
    private let ends: ContiguousArray<Int64>

    init(_ heights: [Double]) {
        var sum: Int64 = 0
        var ends = ContiguousArray<Int64>()
        ends.reserveCapacity(heights.count)
        for height in heights {
            sum += Int64((height * 1024).rounded())
            ends.append(sum)
        }
        self.ends = ends
    }

    var count: Int { ends.count }
    var total: Int64 { ends.last ?? 0 }

    func offset(ofRow row: Int) -> Double { row == 0 ? 0 : Double(ends[row - 1]) / 1024 }

    func row(at offset: Double) -> Int {
        place(of: Int64((offset * 1024).rounded(.down)), in: ends)
    }
}

/// Returns the index of the first running sum above a limit, or of the last, by halves.
func place<Sums: RandomAccessCollection<Element>, Element: Comparable>(
    of limit: Element, in ends: Sums
) -> Int where Sums.Index == Int {
    var (low, size) = (0, ends.count)
    while size > 1 {
        let half = size &>> 1
        low = ends[low &+ half &- 1] <= limit ? low &+ half : low
        size &-= half
    }
    return low
}

/// Has the compiler believe that somebody looks.
@inline(never)
func keep(_ number: Int, _ sum: Double) {
    if number == .min, sum == .infinity { print(number, sum) }
}
