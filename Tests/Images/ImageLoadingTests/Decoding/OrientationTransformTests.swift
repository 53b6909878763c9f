import TestSupport
import Testing

@testable import ImageLoading

@Suite struct `Turning a picture` {
    @Test(arguments: seeds(0..<40))
    func `does what EXIF defines`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let size = PixelSize(
            width: .random(in: 1...40, using: &random), height: .random(in: 1...40, using: &random))
        let stored = noise(size, using: &random)
        for orientation in PictureOrientation.allCases {
            let (turned, _) = turn(stored, orientation)
            #expect(turned == stored.upright(from: orientation), "\(orientation)")
        }
    }

    @Test(arguments: PictureOrientation.allCases)
    func `takes a step for some pixels, however the picture is shaped`(
        orientation: PictureOrientation
    ) {
        var random = SplitMix64(seed: 1)
        for (width, height) in [(90, 100), (1, 20_000), (20_000, 1), (8192, 2), (2, 8192)] {
            let stored = noise(PixelSize(width: width, height: height), using: &random)
            let (turned, steps) = turn(stored, orientation)
            #expect(turned == stored.upright(from: orientation))
            let grain = OrientationTransform.grain
            #expect(steps == (width * height + grain - 1) / grain)
        }
    }

    private func turn(
        _ picture: Picture, _ orientation: PictureOrientation
    ) -> (picture: Picture, steps: Int) {
        var turner = OrientationTransform(picture, orientation: orientation)
        var steps = 0
        while !turner.isComplete {
            turner.step()
            steps += 1
        }
        return (turner.picture(), steps)
    }

    private func noise(_ size: PixelSize, using random: inout SplitMix64) -> Picture {
        let pixels = (0..<size.width * size.height).flatMap { _ in
            let bits = random.next()
            return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: bits >> $0) }
        }
        return Picture(size: size, pixels: pixels)
    }
}
