/// A small JPEG of a picture that a camera stored in the picture's own file.
public struct EmbeddedThumbnail: Hashable, Sendable {
    /// The range of the thumbnail in the file.
    public let range: Range<Int>
    /// The format.
    public let format: PictureFormat
    /// The size as stored: like the picture, it may have to be rotated.
    public let size: PixelSize
    /// The number of values stored for each pixel.
    public let channels: Int

    /// Creates a description of a thumbnail.
    public init(range: Range<Int>, format: PictureFormat, size: PixelSize, channels: Int) {
        self.range = range
        self.format = format
        self.size = size
        self.channels = channels
    }

    /// Returns whether it can be a smaller copy of a picture of the given size.
    ///
    /// With bars beside the picture, or after cropping, the thumbnail has another shape. The aspect
    /// ratio may differ by 2 %. Pixels are not compared, as that would require decoding both.
    public func isPlausible(for picture: PixelSize) -> Bool {
        guard size.width > 0, size.height > 0, picture.width > 0, picture.height > 0 else {
            return false
        }
        // This keeps the products small: no side is longer than the picture's.
        guard size.width <= picture.width, size.height <= picture.height else { return false }
        let (this, other) = (
            Double(size.width) * Double(picture.height), Double(size.height) * Double(picture.width)
        )
        return abs(this - other) <= 0.02 * other
    }
}
