/// The obvious model of a list: an array of heights, summed anew for every question.
struct PlainRows {
    var heights: [Double]

    func start(ofRow row: Int) -> Double { heights[..<row].reduce(0, +) }

    func end(ofRow row: Int) -> Double { heights[...row].reduce(0, +) }

    func row(at offset: Double) -> Int? {
        heights.indices.first { heights[$0] > 0 && end(ofRow: $0) > offset }
    }

    /// From the first to the last of those with a height that the window shows a part of.
    func visibleRows(offset: Double, height: Double) -> Range<Int> {
        let seen = heights.indices.filter { row in
            let (start, end) = (start(ofRow: row), end(ofRow: row))
            return heights[row] > 0 && end > offset && start < offset + height
        }
        if let first = seen.first, let last = seen.last { return first..<last + 1 }
        let next = row(at: offset) ?? heights.count
        return next..<next
    }
}
