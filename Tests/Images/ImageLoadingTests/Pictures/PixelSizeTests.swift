import ImageLoading
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
}
