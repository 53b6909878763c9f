import ImageLoading
import TestSupport
import Testing

@Suite struct `A pixel size` {
    @Test(arguments: [
        (4000, 3000, 256, 256, 256, 192),
        (3000, 4000, 256, 256, 192, 256),
        (100, 50, 256, 256, 100, 50),
        (256, 256, 256, 256, 256, 256),
        (65_500, 1, 256, 256, 256, 1),
        (1, 65_500, 256, 256, 1, 256),
        (1000, 999, 10, 10, 10, 10),
        (640, 480, 0, -5, 1, 1),
        (640, 480, Int.max, 240, 320, 240),
    ])
    func `fits into a target size, never enlarged`(
        width: Int, height: Int, targetWidth: Int, targetHeight: Int, fittedWidth: Int,
        fittedHeight: Int
    ) {
        let targetSize = PixelSize(width: targetWidth, height: targetHeight)
        let fitted = PixelSize(width: width, height: height).fitted(in: targetSize)
        #expect(fitted == PixelSize(width: fittedWidth, height: fittedHeight))
    }

    @Test func `fits whatever the sizes, and keeps the shape`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<10_000 {
            let size = PixelSize(
                width: .random(in: 1...5000, using: &random),
                height: .random(in: 1...5000, using: &random))
            let targetSize = PixelSize(
                width: .random(in: 1...500, using: &random),
                height: .random(in: 1...500, using: &random))
            let fitted = size.fitted(in: targetSize)
            #expect(fitted.width <= min(size.width, targetSize.width) && fitted.width >= 1)
            #expect(fitted.height <= min(size.height, targetSize.height) && fitted.height >= 1)
            let scale = min(
                1, Double(targetSize.width) / Double(size.width),
                Double(targetSize.height) / Double(size.height))
            #expect(abs(Double(fitted.width) - max(1, Double(size.width) * scale)) <= 0.501)
            #expect(abs(Double(fitted.height) - max(1, Double(size.height) * scale)) <= 0.501)
        }
    }
}
