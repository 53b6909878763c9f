internal import LullLibC

/// The pixels of a picture, ready to be shown.
///
/// Each pixel has four bytes: red, green, blue and alpha. Colours are premultiplied by alpha, so
/// that pictures can be averaged and composited without dark or bright edges.
public struct Picture: Equatable, Sendable {
    /// The size in pixels.
    public let size: PixelSize
    /// The bytes of all pixels, row by row from the top, without padding.
    public let pixels: [UInt8]

    /// Creates a picture from pixels.
    ///
    /// Traps if there aren't four bytes a pixel.
    public init(size: PixelSize, pixels: [UInt8]) {
        precondition(
            pixels.count == 4 * size.width * size.height,
            "a picture has four bytes for each of its pixels")
        self.size = size
        self.pixels = pixels
    }

    /// Returns whether nothing is seen through any pixel of these rows.
    ///
    /// O(pixels of the rows), up to the first that something is seen through.
    ///
    /// - Precondition: the picture has these rows.
    public func isOpaque(inRows rows: Range<Int>) -> Bool {
        let stride = 4 * size.width
        return !pixels[stride * rows.lowerBound..<stride * rows.upperBound].hasTransparency
    }
}
