internal import LullLibC

/// A resizer that scales a picture down while its rows arrive, by area averaging.
///
/// Each pixel of the result is the mean of the source pixels that it covers, rounded once. A source
/// pixel at an edge is weighted by the part that is covered. The resizer keeps one row of sums,
/// never the source picture.
///
/// Lengths have units that make them integers: vertically, a source row is `target.height` long and
/// a target row `source.height`; horizontally, the same holds for the widths.
///
/// A decoder that scales gives pixels that are themselves means of smaller ones. Then a part of a
/// pixel is better estimated from its neighbours than from the whole pixel: colours are assumed to
/// change linearly from the previous pixel to the next one, which brings the result 3 dB nearer to
/// the mean of the smaller pixels.
public struct RowResizer {
    /// The size of the source picture.
    public let source: PixelSize
    /// The size of the result.
    public let target: PixelSize
    /// The number of values for each pixel of the source: 3 if all are opaque, else 4.
    private let channels: Int
    private let interpolates: Bool
    /// Whether values have 15 bits, and values of the result two bytes.
    private let isDeep: Bool
    /// The factor by which vertical lengths are refined, so that slopes round well to integers.
    private let fineness: Int
    private let stretches: [ResampleSpan]
    private var sums: RowSums
    /// The result so far, in the source's colour space: four values a pixel, of two bytes if deep.
    private(set) var pixels: PictureBuffer
    /// The number of rows of the source that have been added.
    private(set) var rowsTaken = 0
    private var rowsGiven = 0
    private var hasEnded = false
    /// The last row and the one before it, if neighbours are used.
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
        stretches = ResampleSpan.cutting(source.width, into: target.width)
        sums = RowSums(width: source.width, channels: channels)
        pixels = PictureBuffer(capacity: (isDeep ? 8 : 4) * target.width * target.height)
    }

    /// Whether all rows of the source have been added, or no more will be.
    public var isComplete: Bool { rowsTaken == source.height || hasEnded }

    /// Ends the picture before its last row: the result has fewer rows.
    ///
    /// The last of them is the mean of the source rows that are there.
    mutating func end() {
        hasEnded = true
        guard source != target, rowsTaken > 0 else { return }
        if interpolates {
            let (last, before) = (last, rowsTaken > 1 ? earlier : last)
            take(last.span, at: rowsTaken - 1, between: before.span, and: last.span)
        }
        let height = rowsTaken * target.height - rowsGiven * source.height
        if height > 0 { giveRow(height: height) }
    }

    /// Returns a resizer for another picture of the same size.
    func restarted() -> RowResizer {
        RowResizer(
            from: source, to: target, channels: channels, interpolates: interpolates,
            isDeep: isDeep)
    }

    /// Adds the next row of the source: a byte for each value of each pixel.
    ///
    /// Traps if the row isn't one of the source, or all have been added.
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

    /// Adds the next row of a deep source: 15 bits for each value of each pixel.
    ///
    /// Traps if the row isn't one of the source, or all have been added.
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

    /// Adds a row to the target rows that it lies in.
    private mutating func take<Value: FixedWidthInteger & UnsignedInteger>(
        _ row: Span<Value>, at index: Int, between before: Span<Value>, and after: Span<Value>
    ) {
        let end = (index + 1) * target.height
        let boundary = (rowsGiven + 1) * source.height
        let lengthBelow = max(0, end - boundary)
        let lengthAbove = target.height - lengthBelow
        sums.add(row, length: lengthAbove * fineness)
        if end < boundary { return }
        // The same as along a row; see `ResampleSpan`.
        let slope =
            interpolates
            ? (fineness * lengthAbove * lengthBelow + 2 * target.height) / (4 * target.height) : 0
        if slope > 0 {
            sums.add(before, length: slope)
            sums.add(after, length: -slope)
        }
        giveRow(height: source.height)
        if lengthBelow > 0 { sums.add(row, length: lengthBelow * fineness) }
        if slope > 0 {
            sums.add(after, length: slope)
            sums.add(before, length: -slope)
        }
    }

    private mutating func append(_ row: Span<UInt8>) {
        guard channels == 3 else { return pixels.append(row) }
        pixels.append(addingCapacity: 4 * source.width) { output in
            for start in stride(from: 0, to: row.count, by: 3) {
                for channel in 0..<3 { output.append(row[start + channel]) }
                output.append(255)
            }
        }
    }

    /// Appends a row to the result from sums over a vertical length.
    private mutating func giveRow(height: Int) {
        rowsGiven += 1
        let (sums, stretches, interpolates) = (sums, stretches, interpolates)
        let (isDeep, area) = (isDeep, source.width * height * fineness)
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
