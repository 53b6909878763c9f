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

    @Test func `has room for the largest sums`() {
        let size = PixelSize(width: 2, height: 65_535)
        let white = Picture(
            size: size, pixels: [UInt8](repeating: 255, count: 4 * size.width * size.height))
        let dot = shrunk(white, to: PixelSize(width: 1, height: 1))
        #expect(dot.pixels == [255, 255, 255, 255])
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
