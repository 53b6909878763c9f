public import ImageLoading

extension Picture {
    /// Returns the picture at another size, each pixel of which is the mean of the pixels that it
    /// covers.
    ///
    /// Partly covered pixels are weighted by the covered part; the mean is exact, and rounded once.
    /// The picture may also be enlarged. It takes one pass over the visible pixels, and memory for
    /// a row of them.
    ///
    /// - Parameters:
    ///   - target: The size.
    ///   - isFilled: Whether the middle of the picture is cropped to the target's aspect ratio;
    ///     otherwise the whole picture is used, and stretched if the ratios differ.
    /// - Returns: The picture at that size.
    public func averaged(to target: PixelSize, isFilled: Bool = false) -> Picture {
        precondition(
            target.width > 0 && target.height > 0 && size.width > 0 && size.height > 0,
            "a picture with pixels is averaged to one with pixels")
        let (columns, rows) =
            isFilled ? middle(shapedAs: target) : (0..<size.width, 0..<size.height)
        if columns.count == target.width, rows.count == target.height, columns.count == size.width,
            rows.count == size.height
        {
            return self
        }
        let spans = AveragedSpan.cutting(columns.count, into: target.width)
        let area = columns.count * rows.count
        var result: [UInt8] = []
        result.reserveCapacity(4 * target.width * target.height)
        var sums = [Int](repeating: 0, count: 4 * columns.count)
        for span in AveragedSpan.cutting(rows.count, into: target.height) {
            add(rows: span, of: rows, columns, to: &sums)
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

    /// Returns the part of each side that is visible when a target is filled, which is the whole
    /// shorter side.
    private func middle(shapedAs target: PixelSize) -> (columns: Range<Int>, rows: Range<Int>) {
        func cut(_ length: Int, to part: Int) -> Range<Int> {
            let part = max(1, min(length, part))
            let start = (length - part) / 2
            return start..<start + part
        }
        let width = (size.height * target.width + target.height / 2) / target.height
        let height = (size.width * target.height + target.width / 2) / target.width
        return width <= size.width
            ? (cut(size.width, to: width), 0..<size.height)
            : (0..<size.width, cut(size.height, to: height))
    }

    /// Replaces the sums by those of a target row; each source row is weighted by its covered part.
    private func add(
        rows span: AveragedSpan, of rows: Range<Int>, _ columns: Range<Int>, to sums: inout [Int]
    ) {
        for index in sums.indices { sums[index] = 0 }
        for place in span.places {
            let weight = span.weight(of: place)
            let start = 4 * ((rows.lowerBound + place) * size.width + columns.lowerBound)
            for index in sums.indices { sums[index] &+= Int(pixels[start &+ index]) &* weight }
        }
    }
}
