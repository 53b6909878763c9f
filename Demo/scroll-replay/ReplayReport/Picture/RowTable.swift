internal import ScrollModel

/// The positions of the rows in a drawing, in tenths of a pixel.
struct RowTable {
    /// A run of consecutive rows.
    struct Segment: Equatable {
        var rows: Range<Int>
        /// The top of each.
        var tops: [Int]
        /// The height of each.
        var heights: [Int]
    }

    let segments: [Segment]

    /// Creates the table of rows in these ranges, some of which may overlap.
    init(_ ranges: [Range<Int>], in list: ListLayout) {
        segments = merged(ranges.filter { !$0.isEmpty }).map { rows in
            let extents = rows.map { list.extent(ofRowAt: $0) }
            return Segment(
                rows: rows, tops: extents.map { tenths($0.offset) },
                heights: extents.map { tenths($0.offset + $0.height) - tenths($0.offset) })
        }
    }

    /// Returns the position of a row.
    ///
    /// O(log n) in the segments.
    func place(ofRow row: Int) -> Range<Int>? {
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].rows.upperBound <= row { low = middle + 1 } else { high = middle }
        }
        guard low < segments.count, segments[low].rows.contains(row) else { return nil }
        let index = row - segments[low].rows.lowerBound
        let top = segments[low].tops[index]
        return top..<top + segments[low].heights[index]
    }

    /// The segments as one text: first row, count and first top, then for each row its gap to the
    /// one before and the difference of its height.
    var text: String {
        var text = VariableLength()
        text.append(segments.count)
        var row = 0
        for segment in segments {
            text.append(segment.rows.lowerBound - row)
            text.append(segment.rows.count)
            row = segment.rows.upperBound
            text.append(segment.tops[0])
            var bottom = segment.tops[0]
            var height = 0
            for (top, own) in zip(segment.tops, segment.heights) {
                text.append(top - bottom)
                text.append(own - height)
                bottom = top + own
                height = own
            }
        }
        return text.text
    }
}

/// Returns ranges in order, merging those that overlap or touch.
func merged<Bound>(_ ranges: [Range<Bound>]) -> [Range<Bound>] {
    var merged: [Range<Bound>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        if let last = merged.last, range.lowerBound <= last.upperBound {
            merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        } else {
            merged.append(range)
        }
    }
    return merged
}

/// Returns pixels in whole tenths.
func tenths(_ pixels: Double) -> Int {
    Int((pixels * 10).rounded())
}
