/// The obvious model of a list: an array of heights, summed anew for every question.
struct PlainRows {
    var heights: [Double]

    func start(ofRow row: Int) -> Double { heights[..<row].reduce(0, +) }

    func end(ofRow row: Int) -> Double { heights[...row].reduce(0, +) }

    func row(at offset: Double) -> Int? {
        heights.indices.first { heights[$0] > 0 && end(ofRow: $0) > offset }
    }

    /// Those with a height that the window shows a part of; of those lower than a quarter of a pixel,
    /// only those that cover a whole number of quarters.
    func visibleRows(offset: Double, height: Double) -> [Int] {
        heights.indices.filter { row in
            let (start, end) = (start(ofRow: row), end(ofRow: row))
            return (start * 4).rounded(.up) / 4 < end && end > offset && start < offset + height
        }
    }
}
