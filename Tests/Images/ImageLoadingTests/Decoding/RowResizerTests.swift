import TestSupport
import Testing

@testable import ImageLoading

@Suite struct `A row resizer` {
    @Test(arguments: seeds(0..<200))
    func `averages areas as the plain definition does`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let source = noise(upTo: 60, using: &random)
        let target = PixelSize(
            width: .random(in: 1...source.size.width, using: &random),
            height: .random(in: 1...source.size.height, using: &random))
        #expect(shrunk(source, to: target) == source.boxFiltered(to: target))
    }

    @Test(arguments: seeds(0..<60))
    func `makes of rows without alpha what it makes of opaque ones`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let source = noise(upTo: 40, using: &random)
        var opaque = source.pixels
        for index in stride(from: 3, to: opaque.count, by: 4) { opaque[index] = 255 }
        let target = PixelSize(
            width: .random(in: 1...source.size.width, using: &random),
            height: .random(in: 1...source.size.height, using: &random))
        for size in [target, source.size] {
            var resizer = RowResizer(from: source.size, to: size, channels: 3)
            for y in 0..<source.size.height {
                let row = (0..<3 * source.size.width).map {
                    opaque[4 * (y * source.size.width + $0 / 3) + $0 % 3]
                }
                resizer.add(row.span)
            }
            let wanted = Picture(size: source.size, pixels: opaque).boxFiltered(to: size)
            #expect(resizer.picture() == wanted)
        }
    }

    @Test func `has room for the largest sums`() {
        let size = PixelSize(width: 2, height: 65_535)
        let white = Picture(
            size: size, pixels: [UInt8](repeating: 255, count: 4 * size.width * size.height))
        let dot = shrunk(white, to: PixelSize(width: 1, height: 1))
        #expect(dot.pixels == [255, 255, 255, 255])
    }

    @Test(arguments: seeds(0..<50))
    func `follows an even rise of means`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let size = PixelSize(
            width: .random(in: 2...40, using: &random), height: .random(in: 2...40, using: &random))
        let target = PixelSize(
            width: .random(in: 1...size.width, using: &random),
            height: .random(in: 1...size.height, using: &random))
        // Each source pixel is the mean of a rise, so what lies under a target pixel is known.
        let (right, down) = (
            Int.random(in: 0...3, using: &random), Int.random(in: 0...2, using: &random)
        )
        let pixels = (0..<4 * size.width * size.height).map { index in
            UInt8(10 + right * (index / 4 % size.width) + down * (index / 4 / size.width))
        }
        let result = shrunk(Picture(size: size, pixels: pixels), to: target, interpolates: true)
        var wrong = 0
        for y in 0..<target.height {
            for x in 0..<target.width {
                // At the border there is no neighbour to tell the rise from.
                let columns = Double(size.width) / Double(target.width)
                let rows = Double(size.height) / Double(target.height)
                let middle = (Double(x) + 0.5) * columns - 0.5
                let center = (Double(y) + 0.5) * rows - 0.5
                let wanted = 10 + Double(right) * middle + Double(down) * center
                let isInside =
                    x > 0 && y > 0 && x < target.width - 1 && y < target.height - 1
                let found = Double(result[x, y][0])
                if abs(found - wanted) > (isInside ? 0.6 : 2) { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    private func noise(upTo side: Int, using random: inout SplitMix64) -> Picture {
        let size = PixelSize(
            width: .random(in: 1...side, using: &random),
            height: .random(in: 1...side, using: &random))
        let pixels = (0..<4 * size.width * size.height).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
        return Picture(size: size, pixels: pixels)
    }

    private func shrunk(
        _ source: Picture, to target: PixelSize, interpolates: Bool = false
    ) -> Picture {
        var resizer = RowResizer(from: source.size, to: target, interpolates: interpolates)
        let length = 4 * source.size.width
        for y in 0..<source.size.height {
            let row = Array(source.pixels[y * length..<(y + 1) * length])
            resizer.add(row.span)
        }
        #expect(resizer.isComplete)
        return resizer.picture()
    }
}
