import ImageLoading
import TestSupport

extension Picture {
    /// A picture of random pixels, whose colours don't exceed their alpha; few colours, so that
    /// neighbours are alike now and then.
    static func random(
        _ size: PixelSize, using numbers: inout SplitMix64
    ) -> Picture {
        let colors = (0..<4).map { _ -> [UInt8] in
            let alpha = UInt8.random(in: 0...255, using: &numbers)
            return (0..<3).map { _ in UInt8.random(in: 0...alpha, using: &numbers) } + [alpha]
        }
        let pixels = (0..<size.width * size.height).flatMap { _ in
            colors[Int.random(in: 0..<4, using: &numbers)]
        }
        return Picture(size: size, pixels: pixels)
    }

    /// A picture of opaque colours, row by row.
    static func rows(_ rows: [[(UInt8, UInt8, UInt8)]]) -> Picture {
        Picture(
            size: PixelSize(width: rows[0].count, height: rows.count),
            pixels: rows.joined().flatMap { [$0.0, $0.1, $0.2, 255] })
    }
}

extension PixelSize {
    static func random(upTo side: Int, using numbers: inout SplitMix64) -> PixelSize {
        PixelSize(
            width: Int.random(in: 1...side, using: &numbers),
            height: Int.random(in: 1...side, using: &numbers))
    }
}
