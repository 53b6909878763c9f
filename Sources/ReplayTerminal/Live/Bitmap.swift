/// A picture as a terminal shows it: bytes of red, green, blue and alpha, row by row.
package struct Bitmap: Equatable, Sendable {
    package let width: Int
    package let height: Int
    private let pixels: [UInt8]

    /// A picture of the given pixels, whose colours are premultiplied by alpha.
    package init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(
            width > 0 && height > 0 && pixels.count == 4 * width * height,
            "a picture has four bytes for each of its pixels")
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// The mean colour of a part of the picture, given in shares of its sides, on a row's paper.
    package func mean(x: Range<Double>, y: Range<Double>) -> Ink {
        let columns = span(x, width)
        let rows = span(y, height)
        var sums = (red: 0, green: 0, blue: 0, alpha: 0)
        for row in rows {
            for column in columns {
                let place = 4 * (row * width + column)
                sums.red += Int(pixels[place])
                sums.green += Int(pixels[place + 1])
                sums.blue += Int(pixels[place + 2])
                sums.alpha += Int(pixels[place + 3])
            }
        }
        let count = columns.count * rows.count
        let clear = 255 * count - sums.alpha
        func byte(_ sum: Int, _ paper: UInt8) -> UInt8 {
            UInt8(min(255, (sum + clear * Int(paper) / 255) / count))
        }
        return Ink(
            byte(sums.red, Ink.paper.red), byte(sums.green, Ink.paper.green),
            byte(sums.blue, Ink.paper.blue))
    }

    private func span(_ share: Range<Double>, _ size: Int) -> Range<Int> {
        let first = max(0, min(size - 1, Int(share.lowerBound * Double(size))))
        return first..<max(first + 1, min(size, Int(share.upperBound * Double(size))))
    }

    /// The picture at a smaller size, its middle cut out to fit; nothing is stretched.
    package func thumbnail(width columns: Int, height lines: Int) -> [[Ink]] {
        guard columns > 0, lines > 0 else { return [] }
        // The part of each side that is seen, when the shorter one is filled.
        let scale = max(
            Double(columns) / Double(width), Double(lines) / Double(height))
        let seenX = Double(columns) / scale / Double(width)
        let seenY = Double(lines) / scale / Double(height)
        func part(_ index: Int, of count: Int, _ seen: Double) -> Range<Double> {
            let start = (1 - seen) / 2
            let step = seen / Double(count)
            return start + Double(index) * step..<start + Double(index + 1) * step
        }
        return (0..<lines).map { line in
            (0..<columns).map { column in
                mean(x: part(column, of: columns, seenX), y: part(line, of: lines, seenY))
            }
        }
    }
}
