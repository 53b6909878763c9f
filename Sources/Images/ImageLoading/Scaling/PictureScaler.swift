/// A task that scales down a picture in memory, some rows in each step.
final class PictureScaler: SteppedWork {
    typealias Output = Picture
    typealias Failure = PictureError.Reason

    private let picture: Picture
    private let size: PixelSize
    private lazy var resizer = RowResizer(from: picture.size, to: size)
    private var row = 0

    /// The number of pixels in a step, which takes about 0.1 ms.
    private static let grain = 1 << 15

    init(_ picture: Picture, fitting targetSize: PixelSize) {
        self.picture = picture
        size = picture.size.fitted(in: targetSize)
    }

    /// Scales some rows; returns the result after the last.
    func advance() -> Picture? {
        guard size != picture.size else { return picture }
        let picture = picture
        let length = 4 * picture.size.width
        let bytes = picture.pixels.span
        var pixels = 0
        while pixels < Self.grain, row < picture.size.height {
            resizer.add(bytes.extracting(row * length..<(row + 1) * length))
            row += 1
            pixels += picture.size.width
        }
        return resizer.isComplete
            ? Picture(size: size, pixels: resizer.pixels, damage: picture.damage) : nil
    }
}
