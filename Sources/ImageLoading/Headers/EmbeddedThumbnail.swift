/// A small JPEG of a picture that a camera put into the picture's own file.
public struct EmbeddedThumbnail: Hashable, Sendable {
    /// The part of the file.
    public let range: Range<Int>
    /// Its kind.
    public let format: PictureFormat
    /// Its size as stored: like the picture, it may have to be turned.
    public let size: PixelSize
    /// The values stored for each pixel.
    public let channels: Int

    /// A thumbnail of which this is known.
    public init(range: Range<Int>, format: PictureFormat, size: PixelSize, channels: Int) {
        self.range = range
        self.format = format
        self.size = size
        self.channels = channels
    }

    /// Whether it can be what it claims, a smaller copy of a picture of that size.
    ///
    /// Bars beside the picture, or a picture that was cropped later, give it another shape: sides
    /// may differ by 2 %. What it shows is not compared, for that would take decoding both.
    public func isPlausible(for picture: PixelSize) -> Bool {
        guard size.width > 0, size.height > 0, picture.width > 0, picture.height > 0 else {
            return false
        }
        // Kept small before they are multiplied: no side is longer than its picture's.
        guard size.width <= picture.width, size.height <= picture.height else { return false }
        let (this, other) = (
            Double(size.width) * Double(picture.height), Double(size.height) * Double(picture.width)
        )
        return abs(this - other) <= 0.02 * other
    }

    /// The thumbnail as a picture of its own, which has nothing embedded and is not turned.
    var header: PictureHeader {
        PictureHeader(
            format: format, size: size, fileBytes: range.count, channels: channels,
            bytesPerSample: 1)
    }
}
