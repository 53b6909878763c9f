/// The obvious model of a list: an array of heights, summed anew for every question.
struct PlainRows {
    var heights: [Double]

    func end(ofRow row: Int) -> Double { heights[...row].reduce(0, +) }

    func row(at offset: Double) -> Int? { heights.indices.first { end(ofRow: $0) > offset } }

    /// The rule as it is written: first end > offset, to first end >= offset + height.
    func visibleRows(offset: Double, height: Double) -> Range<Int> {
        guard let first = row(at: offset) else { return heights.count..<heights.count }
        let last =
            heights.indices.first { end(ofRow: $0) >= offset + height } ?? heights.count - 1
        return first..<max(first, last + 1)
    }
}
