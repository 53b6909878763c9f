import Glibc
import ImageLoading
import Synchronization
import TestSupport

/// A picture much like a photo: overlapping discs of all sizes, each shaded, under a little noise.
struct Photo {
    let sample: Pixels

    /// Pixels to be encoded, as red, green and blue.
    struct Pixels {
        let size: PixelSize
        let values: [UInt8]

        func jpeg(progressive: Bool = false) -> [UInt8] {
            Sample(size.width, size.height).jpeg(values, 3, progressive: progressive)
        }
    }

    /// Those that tests have drawn, since that takes longer than to decode them.
    private static let drawn = Mutex<[[Int]: Pixels]>([:])

    init(seed: UInt64, width: Int, height: Int) {
        let key = [Int(seed), width, height]
        let known = Self.drawn.withLock { $0[key] }
        sample = known ?? Self.draw(seed: seed, width, height)
        if known == nil { Self.drawn.withLock { [sample] in $0[key] = sample } }
    }

    private static func draw(seed: UInt64, _ width: Int, _ height: Int) -> Pixels {
        var random = SplitMix64(seed: seed)
        var values = [Float](repeating: 128, count: 3 * width * height)
        let largest = 0.2 * Float(width)
        for disc in 0..<32 {
            // Large ones first, then smaller ones over them.
            let radius = largest * exp(-Float(disc) / 13)
            let x = Float.random(in: 0..<Float(width), using: &random)
            let y = Float.random(in: 0..<Float(height), using: &random)
            let color = (0..<3).map { _ in Float.random(in: 40..<215, using: &random) }
            let rows = max(0, Int(y - radius))..<min(height, Int(y + radius) + 1)
            let columns = max(0, Int(x - radius))..<min(width, Int(x + radius) + 1)
            for row in rows {
                for column in columns {
                    let (dx, dy) = (Float(column) - x, Float(row) - y)
                    let distance = (dx * dx + dy * dy).squareRoot()
                    let cover = min(1, max(0, radius - distance))
                    if cover == 0 { continue }
                    let shade = 1.1 - 0.35 * distance / radius
                    let start = 3 * (row * width + column)
                    for channel in 0..<3 {
                        let old = values[start + channel]
                        values[start + channel] += (color[channel] * shade - old) * cover
                    }
                }
            }
        }
        let bytes = values.map { value in
            UInt8(min(255, max(0, value + Float.random(in: -3...3, using: &random))))
        }
        return Pixels(size: PixelSize(width: width, height: height), values: bytes)
    }
}
