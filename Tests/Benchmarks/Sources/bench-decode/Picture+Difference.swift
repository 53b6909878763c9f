import ImageLoading

// Whether two decoders see the same.
extension Picture {
    /// The mean difference of their values, infinite for pictures of different sizes.
    ///
    /// One of them may lie on its left side, as some leave it to their callers to turn it.
    func difference(from other: Picture) -> Double {
        if size != other.size {
            guard size.width == other.size.height, size.height == other.size.width else {
                return .infinity
            }
            return min(
                difference(from: other.turnedClockwise), turnedClockwise.difference(from: other))
        }
        let sum = zip(pixels, other.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(pixels.count)
    }

    private var turnedClockwise: Picture {
        var turned: [UInt8] = []
        turned.reserveCapacity(pixels.count)
        for column in 0..<size.width {
            for row in (0..<size.height).reversed() {
                let first = 4 * (row * size.width + column)
                turned += pixels[first..<first + 4]
            }
        }
        return Picture(
            size: PixelSize(width: size.height, height: size.width), pixels: turned)
    }
}
