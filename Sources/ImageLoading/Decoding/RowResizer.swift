/// Shrinks a picture while its rows arrive, by area averages.
///
/// Each pixel of the result is the mean of the source pixels under it, those at its edges by the
/// part that it covers, rounded once. It keeps one row of sums, never the source picture.
///
/// Lengths are counted so that all are whole: down the picture, a source row is `target.height`
/// long and a target row `source.height`; along a row likewise with the widths.
///
/// Where the source's pixels are themselves means of smaller ones, as a decoder gives them that
/// scales, a part of a pixel is better told from its neighbours than by the whole of it. Then
/// colours are taken to rise evenly from the pixel before to the one after, which brings the result
/// 3 dB nearer to the mean of the smaller ones.
public struct RowResizer {
    /// The size of the picture whose rows come.
    public let source: PixelSize
    /// The size of the result.
    public let target: PixelSize
    /// The values of each pixel of the source: 3 where all is opaque, else 4.
    private let channels: Int
    private let interpolates: Bool
    /// Whether values have 15 bits, and those of the result two bytes.
    private let isDeep: Bool
    /// How many times finer lengths down are counted, so that slopes come out well as whole ones.
    private let fineness: Int
    private let stretches: [Stretch]
    private var sums: RowSums
    /// The result so far, in the source's colours: four values a pixel, of two bytes if deep.
    private(set) var pixels: [UInt8] = []
    private var rowsTaken = 0
    private var rowsGiven = 0
    /// The last row and that before it, when neighbours matter.
    private var last: [UInt8] = []
    private var earlier: [UInt8] = []

    init(
        from source: PixelSize, to target: PixelSize, channels: Int = 4,
        interpolates: Bool = false, isDeep: Bool = false
    ) {
        precondition(
            source.width >= target.width && source.height >= target.height
                && source.width <= 0xFFFF && source.height <= 0xFFFF,
            "a row resizer shrinks pictures of at most 65,535 pixels a side")
        self.source = source
        self.target = target
        self.channels = channels
        self.interpolates = interpolates && !isDeep
        self.isDeep = isDeep
        fineness = self.interpolates ? 16 : 1
        stretches = Stretch.cutting(source.width, into: target.width)
        sums = RowSums(width: source.width, channels: channels)
        pixels.reserveCapacity((isDeep ? 8 : 4) * target.width * target.height)
    }

    /// Whether all rows of the source have come.
    public var isComplete: Bool { rowsTaken == source.height }

    /// The result, once it is complete.
    consuming func picture() -> Picture { Picture(size: target, pixels: pixels) }

    /// A resizer for another picture of the same size.
    func restarted() -> RowResizer {
        RowResizer(
            from: source, to: target, channels: channels, interpolates: interpolates,
            isDeep: isDeep)
    }

    /// Takes the next row of the source: a byte for each value of each pixel.
    public mutating func add(_ row: Span<UInt8>) {
        precondition(!isDeep, "a row resizer takes values of 8 bits, or deep ones")
        checkRow(row.count)
        if source == target { return append(row) }
        guard interpolates else { return take(row, at: rowsTaken - 1, between: row, and: row) }
        let (row, last, earlier) = (
            unsafe row.withUnsafeBufferPointer { unsafe Array($0) }, last, earlier
        )
        if rowsTaken > 1 {
            take(last.span, at: rowsTaken - 2, between: earlier.span, and: row.span)
        }
        self.earlier = rowsTaken > 1 ? last : row
        self.last = row
        if isComplete {
            take(
                row.span, at: rowsTaken - 1, between: rowsTaken > 1 ? last.span : row.span,
                and: row.span)
        }
    }

    /// Takes the next row of a source that is deep: 15 bits for each value of each pixel.
    public mutating func add(_ row: Span<UInt16>) {
        precondition(isDeep, "a row resizer takes values of 8 bits, or deep ones")
        checkRow(row.count)
        take(row, at: rowsTaken - 1, between: row, and: row)
    }

    private mutating func checkRow(_ count: Int) {
        precondition(
            count == channels * source.width && !isComplete,
            "a row resizer takes as many rows, and as long ones, as its source has")
        rowsTaken += 1
    }

    /// Adds a row to what it is a part of.
    private mutating func take<Value: FixedWidthInteger & UnsignedInteger>(
        _ row: Span<Value>, at index: Int, between before: Span<Value>, and after: Span<Value>
    ) {
        let end = (index + 1) * target.height
        let boundary = (rowsGiven + 1) * source.height
        let lengthBelow = max(0, end - boundary)
        let lengthAbove = target.height - lengthBelow
        sums.add(row, length: lengthAbove * fineness)
        if end < boundary { return }
        // As along a row: see `Stretch`.
        let slope =
            interpolates
            ? (fineness * lengthAbove * lengthBelow + 2 * target.height) / (4 * target.height) : 0
        if slope > 0 {
            sums.add(before, length: slope)
            sums.add(after, length: -slope)
        }
        giveRow()
        if lengthBelow > 0 { sums.add(row, length: lengthBelow * fineness) }
        if slope > 0 {
            sums.add(after, length: slope)
            sums.add(before, length: -slope)
        }
    }

    private mutating func append(_ row: Span<UInt8>) {
        guard channels == 3 else {
            unsafe row.withUnsafeBufferPointer { unsafe pixels.append(contentsOf: $0) }
            return
        }
        pixels.append(addingCapacity: 4 * source.width) { output in
            for start in stride(from: 0, to: row.count, by: 3) {
                for channel in 0..<3 { output.append(row[start + channel]) }
                output.append(255)
            }
        }
    }

    private mutating func giveRow() {
        rowsGiven += 1
        let (sums, stretches, interpolates) = (sums, stretches, interpolates)
        let (isDeep, area) = (isDeep, source.width * source.height * fineness)
        pixels.append(addingCapacity: (isDeep ? 8 : 4) * stretches.count) { output in
            if isDeep {
                sums.appendDeepMeans(over: stretches, area: area, to: &output)
            } else {
                sums.appendMeans(
                    over: stretches, area: area, interpolates: interpolates, to: &output)
            }
        }
        self.sums.clear()
    }
}
