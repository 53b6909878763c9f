/// Scales a picture down that's in memory, some rows a step.
struct PictureScaler {
    private let picture: Picture
    private var resizer: RowResizer
    private var row = 0

    /// The pixels that a step takes, about a tenth of a millisecond's worth.
    private static let grain = 1 << 15

    init(_ picture: Picture, to size: PixelSize) {
        self.picture = picture
        resizer = RowResizer(from: picture.size, to: size)
    }

    /// Scales some rows, and gives the result after the last.
    mutating func step() -> Picture? {
        let picture = picture
        let length = 4 * picture.size.width
        let bytes = picture.pixels.span
        var pixels = 0
        while pixels < Self.grain, row < picture.size.height {
            resizer.add(bytes.extracting(row * length..<(row + 1) * length))
            row += 1
            pixels += picture.size.width
        }
        return resizer.isComplete ? resizer.picture() : nil
    }

    /// A picture scaled down to lie in a box, in one go.
    static func scaled(_ picture: Picture, fitting box: PixelSize) -> Picture {
        let size = picture.size.fitted(in: box)
        guard size != picture.size else { return picture }
        var scaler = PictureScaler(picture, to: size)
        while true {
            if let result = scaler.step() { return result }
        }
    }
}
