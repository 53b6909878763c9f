import CAllocations
import ScrollModel
import Workloads

/// R7: pictures of random shapes in justified lines.
extension Rows {
    private static let flow = LineFlow(.justified(height: 200), width: 1200, spacing: 4)

    /// Aspect ratios as those of photos: most of 3:2 or 4:3, a third upright, a few panoramas.
    private func shapes(_ count: Int) -> [Double] {
        var random = SplitMix64(seed: 6)
        let shapes = [1.5, 1.5, 4.0 / 3, 4.0 / 3, 0.75, 2.0 / 3, 1, 2.5]
        return (0..<count).map { _ in shapes[Int(random.next() % 8)] }
    }

    func layOutInList() throws {
        for (count, name) in Self.sizes {
            let rows = try RowHeights(shapes(count))
            let before = allocated
            var list = ListLayout(rows)
            try list.arrange(Self.flow)
            report("R7", name, "bytes_per_row", Double(allocated - before) / Double(count))
            let times = max(3, 1_000_000 / count)
            let build = try time { for _ in 0..<times { try list.arrange(Self.flow) } }
            report("R7", name, "build_ns_per_row", build / Double(times * count))
            let offsets = places.map { $0 * list.contentHeight }
            var found = 0
            let rowsAt = time {
                for offset in offsets {
                    found &+= list.visibleRows(offset: offset, height: 900).lowerBound
                }
            }
            report("R7", name, "rows_in_view_ns", rowsAt / Double(offsets.count))
            let changed = places.prefix(10_000).map { Int($0 * Double(count)) }
            let change = try time {
                for row in changed {
                    let index = RowIndex(section: 0, row: row)
                    try list.setHeight(row % 2 == 0 ? 0.75 : 1.5, of: .row(index))
                }
            }
            report("R7", name, "change_ns", change / Double(changed.count))
            let insert = try time {
                for row in changed.prefix(2_000) {
                    try list.perform([.insertRow(RowIndex(section: 0, row: row))]) { _ in 1.5 }
                }
            }
            report("R7", name, "insert_ns", insert / 2_000)
            keep(found, 0)
        }
        let equal = try RowHeights(count: 1_000_000_000, height: 1.5)
        let before = allocated
        var list = ListLayout(equal)
        try list.arrange(Self.flow)
        report("R7", "10^9 equal", "bytes_in_all", Double(allocated - before))
    }

    func layOutInArray() {
        for (count, name) in Self.sizes {
            let shapes = shapes(count)
            let before = allocated
            let lines = Lines(shapes, Self.flow)
            report("R7", name, "bytes_per_row", Double(allocated - before) / Double(count))
            let times = max(3, 1_000_000 / count)
            let build = time {
                for _ in 0..<times { keep(Lines(shapes, Self.flow).ends.count, 0) }
            }
            report("R7", name, "build_ns_per_row", build / Double(times * count))
            for unit in ["change_ns", "insert_ns"] {
                report("R7", name, unit, build / Double(times))
            }
            let offsets = places.map { $0 * (lines.ends.last ?? 0) }
            var found = 0
            let rowsAt = time {
                for offset in offsets { found &+= lines.rowsInView(offset, 900).lowerBound }
            }
            report("R7", name, "rows_in_view_ns", rowsAt / Double(offsets.count))
            keep(found, 0)
        }
    }
}

/// The lines in arrays, which are built anew for each change.
private struct Lines {
    private(set) var ends: [Double] = []
    private var rowEnds: [Int] = []

    init(_ shapes: [Double], _ flow: LineFlow) {
        guard case .justified(let target) = flow.rule else { return }
        var (rows, sum, end) = (0, 0.0, 0.0)
        var before = Double.infinity
        func height(_ rows: Int, _ sum: Double) -> Double {
            (flow.width - flow.spacing * Double(rows - 1)) / sum
        }
        for (row, shape) in shapes.enumerated() {
            var next = height(rows + 1, sum + shape)
            (rows, sum) = (rows + 1, sum + shape)
            guard next <= target else {
                before = next
                continue
            }
            let isShort = rows > 1 && before - target < target - next
            if isShort { next = before }
            end += next + flow.spacing
            ends.append(end)
            rowEnds.append(isShort ? row : row + 1)
            (rows, sum) = isShort ? (1, shape) : (0, 0)
            before = isShort ? height(1, shape) : .infinity
        }
        guard rows > 0 else { return }
        ends.append(end + min(target, height(rows, sum)) + flow.spacing)
        rowEnds.append(shapes.count)
    }

    func rowsInView(_ offset: Double, _ height: Double) -> Range<Int> {
        let first = place(of: offset, in: ends)
        let last = place(of: offset + height, in: ends)
        return (first == 0 ? 0 : rowEnds[first - 1])..<rowEnds[last]
    }
}
