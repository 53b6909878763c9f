internal import LullLibC

/// The sums of the source rows under one target row: the vertical half of an average.
struct RowSums {
    /// The sums for each byte of a row, of all rows, each times its length.
    ///
    /// At most 255 × 65,535 × 16, or 32,767 × 65,535. Pixels are read as four sums, even the last.
    private var sums: [Int32]
    private let channels: Int
    private let count: Int
    private var isFresh = true

    /// Creates sums for rows of `width` pixels, of 4 values each, or of 3 if all are opaque.
    init(width: Int, channels: Int) {
        self.channels = channels
        count = channels * width
        sums = [Int32](repeating: 0, count: count + 4 - channels)
    }

    /// Begins the next target row.
    mutating func clear() { isFresh = true }

    /// Adds a source row, of which a part of the given length lies in the target row.
    mutating func add<Value: FixedWidthInteger & UnsignedInteger>(
        _ row: Span<Value>, length: Int
    ) {
        // Multiplications of 16 bits are several times as fast, and lengths rarely need more.
        if let length = UInt16(exactly: length) {
            add(row, times: Int32(length))
        } else {
            add(row, times: Int32(length))
        }
    }

    @inline(__always)
    private mutating func add<Value: FixedWidthInteger & UnsignedInteger>(
        _ row: Span<Value>, times length: Int32
    ) {
        let isFirst = isFresh
        isFresh = false
        precondition(row.count == count, "all rows of a picture are of one length")
        var sums = sums.mutableSpan
        if isFirst {
            for index in row.indices { sums[index] = Int32(row[index]) &* length }
        } else {
            for index in row.indices { sums[index] &+= Int32(row[index]) &* length }
        }
    }

    /// Appends the means along the row, one pixel for each stretch.
    ///
    /// - Parameters:
    ///   - stretches: The source pixels under each target pixel.
    ///   - area: The area of a target pixel, its vertical length times its horizontal length.
    ///   - interpolates: Whether colours are assumed to change linearly within a source pixel.
    ///   - output: The output, to which four bytes are appended for each stretch.
    func appendMeans(
        over stretches: [ResampleSpan], area: Int, interpolates: Bool,
        to output: inout OutputSpan<UInt8>
    ) {
        // All numbers are integers below 2^53, so that this is exact. A mean is a multiple of
        // 1/area, which is at least 2e-10: the small addend makes exact halves round up despite the
        // error of the division, and changes nothing else. Adding 2^52 rounds to integers, and
        // leaves them in the lowest bits.
        let scale = 1 / Double(area)
        let bit = 1e-11
        let (black, white) = (SIMD4<Double>.zero, SIMD4<Double>(repeating: 255))
        let sums = unsafe sums.span.bytes
        let end = count / channels - 1
        for stretch in stretches {
            var sum = sum(sums, over: stretch)
            if interpolates {
                sum += rise(sums, around: stretch.first, end: end) * stretch.headSlope
                sum -= rise(sums, around: stretch.last, end: end) * stretch.tailSlope
            }
            var means = sum * scale + bit
            if interpolates {
                // Faster than `clamp`, which is not inlined.
                means.replace(with: black, where: means .< black)
                means.replace(with: white, where: means .> white)
            }
            if channels == 3 { means[3] = 255 }
            means += 0x1p52
            for channel in 0..<4 {
                output.append(UInt8(truncatingIfNeeded: means[channel].bitPattern))
            }
        }
    }

    /// Appends the means of 15-bit values along the row, as 16 bits in native byte order.
    func appendDeepMeans(
        over stretches: [ResampleSpan], area: Int, to output: inout OutputSpan<UInt8>
    ) {
        let scale = 65535 / (32767 * Double(area))
        let sums = unsafe sums.span.bytes
        for stretch in stretches {
            var means = sum(sums, over: stretch) * scale + 0.5
            means.clamp(lowerBound: .zero, upperBound: SIMD4(repeating: 65535))
            if channels == 3 { means[3] = 65535 }
            for channel in 0..<4 {
                let mean = UInt16(means[channel])
                unsafe withUnsafeBytes(of: mean) { bytes in
                    output.append(unsafe bytes[0])
                    output.append(unsafe bytes[1])
                }
            }
        }
    }

    /// Returns the sum of the pixels under a target pixel, each times its length in there.
    @inline(__always)
    private func sum(_ sums: RawSpan, over stretch: ResampleSpan) -> SIMD4<Double> {
        var sum = SIMD4<Double>.zero
        for index in stretch.first...stretch.last { sum += pixel(sums, index) }
        sum *= stretch.unit
        sum -= pixel(sums, stretch.first) * stretch.before
        sum -= pixel(sums, stretch.last) * stretch.after
        return sum
    }

    /// Returns the four sums of a pixel; with 3 channels, the fourth is the next pixel's, unused.
    @inline(__always)
    private func pixel(_ sums: RawSpan, _ index: Int) -> SIMD4<Double> {
        let sums = unsafe sums.unsafeLoadUnaligned(
            fromByteOffset: index * channels * MemoryLayout<Int32>.stride, as: SIMD4<Int32>.self)
        return SIMD4<Double>(sums)
    }

    /// Returns the difference between the pixel after a pixel and the one before it.
    @inline(__always)
    private func rise(_ sums: RawSpan, around index: Int, end: Int) -> SIMD4<Double> {
        pixel(sums, min(index + 1, end)) - pixel(sums, max(index - 1, 0))
    }
}
