public import ImageLoading

extension Picture {
    /// Returns the picture at another size, each pixel of which is the mean of the pixels that it
    /// covers.
    ///
    /// Partly covered pixels are weighted by the covered part; the mean is exact, and rounded once.
    /// The picture may also be enlarged, and is stretched if the sides' ratio differs. It takes one
    /// pass over the pixels, and memory for a row of them.
    ///
    /// - Parameter target: The size.
    /// - Returns: The picture at that size.
    public func averaged(to target: PixelSize) -> Picture {
        precondition(
            target.width > 0 && target.height > 0 && size.width > 0 && size.height > 0,
            "a picture with pixels is averaged to one with pixels")
        guard target != size else { return self }
        let spans = AveragedSpan.cutting(size.width, into: target.width)
        let area = size.width * size.height
        var result: [UInt8] = []
        result.reserveCapacity(4 * target.width * target.height)
        var sums = [Int](repeating: 0, count: 4 * size.width)
        for span in AveragedSpan.cutting(size.height, into: target.height) {
            add(rows: span, to: &sums)
            for span in spans {
                for channel in 0..<4 {
                    var sum = 0
                    for place in span.places {
                        sum &+= sums[4 &* place &+ channel] &* span.weight(of: place)
                    }
                    result.append(UInt8((2 * sum + area) / (2 * area)))
                }
            }
        }
        return Picture(size: target, pixels: result)
    }

    /// Replaces the sums by those of a target row; each source row is weighted by its covered part.
    private func add(rows span: AveragedSpan, to sums: inout [Int]) {
        for index in sums.indices { sums[index] = 0 }
        for place in span.places {
            let weight = span.weight(of: place)
            let start = 4 * place * size.width
            for index in sums.indices { sums[index] &+= Int(pixels[start &+ index]) &* weight }
        }
    }
}
