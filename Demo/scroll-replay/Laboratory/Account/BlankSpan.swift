internal import LullTesting

/// A time for which a row was on screen and not loaded.
package struct BlankSpan: Equatable, Sendable {
    /// The row.
    package var row: Int
    /// The index of the first such frame in the log.
    package var first: Int
    /// The number of frames.
    package var count: Int

    /// Returns the spans of a log, sorted by first frame and row.
    static func all(in frames: [ReplayLog.Frame]) -> [BlankSpan] {
        var spans: [BlankSpan] = []
        var open: [Int: Int] = [:]
        var before: [Int] = []
        for (index, frame) in frames.enumerated() {
            let missing = frame.missing
            if missing != before {
                let now = Set(missing)
                for row in before where !now.contains(row) {
                    guard let span = open.removeValue(forKey: row) else { continue }
                    spans[span].count = index - spans[span].first
                }
                for row in missing where open[row] == nil {
                    open[row] = spans.count
                    spans.append(BlankSpan(row: row, first: index, count: 0))
                }
            }
            before = missing
        }
        for row in before {
            if let span = open[row] { spans[span].count = frames.count - spans[span].first }
        }
        return spans
    }
}
