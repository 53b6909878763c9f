/// What has come so far of the source rows under one target row: the vertical half of an average.
struct RowSums {
    /// For each byte of a row, the sum of the rows, each times its length.
    ///
    /// At most 255 × 65,535 × 16.
    private var sums: [Int32]
    private var isFresh = true

    init(width: Int) { sums = [Int32](repeating: 0, count: 4 * width) }

    /// Begins the next target row.
    mutating func clear() { isFresh = true }

    /// Adds a source row of which a part of that length lies in the target row.
    mutating func add(_ row: Span<UInt8>, length: Int) {
        let length = Int32(length)
        let isFirst = isFresh
        isFresh = false
        var sums = sums.mutableSpan
        precondition(row.count == sums.count, "all rows of a picture are of one length")
        if isFirst {
            for index in row.indices { sums[index] = Int32(row[index]) &* length }
        } else {
            for index in row.indices { sums[index] &+= Int32(row[index]) &* length }
        }
    }

    /// Appends the means along the row, one pixel for each stretch.
    ///
    /// - Parameters:
    ///   - stretches: Where the target pixels are.
    ///   - area: How many lengths down times lengths along make one target pixel.
    ///   - interpolates: Whether colours are taken to change evenly within a source pixel.
    ///   - output: Gets four bytes for each stretch.
    func appendMeans(
        over stretches: [Stretch], area: Int, interpolates: Bool,
        to output: inout OutputSpan<UInt8>
    ) {
        // All numbers are whole and below 2^53, so that this is exact. A mean is a multiple of
        // 1/area, at least 2e-10: the bit more than one half lifts exact halves over what the
        // division lost, and nothing else.
        let scale = 1 / Double(area)
        let half = 0.5 + 1e-11
        let sums = unsafe sums.span.bytes
        let end = sums.byteCount / Self.stride - 1
        for stretch in stretches {
            var sum = SIMD4<Double>.zero
            for index in stretch.first...stretch.last { sum += Self.pixel(sums, index) }
            sum *= stretch.unit
            sum -= Self.pixel(sums, stretch.first) * stretch.before
            sum -= Self.pixel(sums, stretch.last) * stretch.after
            if interpolates {
                sum += Self.rise(sums, around: stretch.first, end: end) * stretch.headSlope
                sum -= Self.rise(sums, around: stretch.last, end: end) * stretch.tailSlope
            }
            let means = sum * scale + half
            for channel in 0..<4 { output.append(UInt8(min(max(means[channel], 0), 255))) }
        }
    }

    private static let stride = MemoryLayout<SIMD4<Int32>>.stride

    /// The four sums of a pixel.
    private static func pixel(_ sums: RawSpan, _ index: Int) -> SIMD4<Double> {
        let sums = unsafe sums.unsafeLoadUnaligned(
            fromByteOffset: index * stride, as: SIMD4<Int32>.self)
        return SIMD4<Double>(sums)
    }

    /// How much more there is after a pixel than before it.
    private static func rise(_ sums: RawSpan, around index: Int, end: Int) -> SIMD4<Double> {
        pixel(sums, min(index + 1, end)) - pixel(sums, max(index - 1, 0))
    }
}
