/// Shrinks a picture while its rows arrive, by exact area averages.
///
/// Each pixel of the result is the mean of the source pixels under it, those at its edges by the
/// part that it covers, rounded once. It keeps one row of sums, never the source picture.
///
/// Lengths are counted so that all are whole: down the picture, a source row is `target.height`
/// long and a target row `source.height`; along a row likewise with the widths.
struct RowResizer {
    let source: PixelSize
    let target: PixelSize
    private let stretches: [Stretch]
    private var sums: RowSums
    private var pixels: [UInt8] = []
    private var rowsTaken = 0
    private var rowsGiven = 0

    init(from source: PixelSize, to target: PixelSize) {
        precondition(
            source.width >= target.width && source.height >= target.height
                && source.width <= 0xFFFF && source.height <= 0xFFFF,
            "a row resizer shrinks pictures of at most 65,535 pixels a side")
        self.source = source
        self.target = target
        stretches = Stretch.cutting(source.width, into: target.width)
        sums = RowSums(width: source.width)
        pixels.reserveCapacity(4 * target.width * target.height)
    }

    /// Whether all rows of the source have come.
    var isComplete: Bool { rowsTaken == source.height }

    /// The result, once it is complete.
    consuming func picture() -> Picture { Picture(size: target, pixels: pixels) }

    /// Takes the next row of the source: four bytes for each pixel.
    mutating func add(_ row: Span<UInt8>) {
        precondition(
            row.count == 4 * source.width && !isComplete,
            "a row resizer takes as many rows, and as long ones, as its source has")
        rowsTaken += 1
        if source == target { return append(row) }
        let end = rowsTaken * target.height
        let boundary = (rowsGiven + 1) * source.height
        let lengthBelow = max(0, end - boundary)
        sums.add(row, length: target.height - lengthBelow)
        if end < boundary { return }
        giveRow()
        if lengthBelow > 0 { sums.add(row, length: lengthBelow) }
    }

    private mutating func append(_ row: Span<UInt8>) {
        pixels.append(addingCapacity: row.count) { output in
            for index in row.indices { output.append(row[index]) }
        }
    }

    private mutating func giveRow() {
        rowsGiven += 1
        let (sums, stretches, area) = (sums, stretches, source.width * source.height)
        pixels.append(addingCapacity: 4 * stretches.count) { output in
            sums.appendMeans(over: stretches, area: area, to: &output)
        }
        self.sums.clear()
    }
}
