internal import LullLibC

/// The pixels of a picture, ready to be shown.
///
/// Each pixel has four bytes: red, green, blue and alpha. Colours are premultiplied by alpha, so
/// that pictures can be averaged and composited without dark or bright edges.
///
/// A picture may be made of the sound parts of a damaged file, see ``damage``. The missing rows are
/// transparent.
public struct Picture: Equatable, Sendable {
    /// The size in pixels.
    public let size: PixelSize
    /// The bytes of all pixels, row by row from the top, without padding.
    public let pixels: PictureBuffer
    /// The reason why the picture isn't all that its file was meant to show; nil if it is.
    public let damage: PictureError.Reason?

    /// Whether a part of the picture is missing or wrong, because its file is damaged.
    public var isDamaged: Bool { damage != nil }

    /// Creates a picture from pixels, of a sound file unless there is a `damage`.
    ///
    /// The pixels are copied, unless they are those of another picture.
    ///
    /// Traps if there aren't four bytes a pixel.
    public init(
        size: PixelSize, pixels: some Collection<UInt8>, damage: PictureError.Reason? = nil
    ) {
        precondition(
            pixels.count == 4 * size.width * size.height,
            "a picture has four bytes for each of its pixels")
        self.size = size
        self.pixels = PictureBuffer(pixels)
        self.damage = damage
    }

    /// Returns whether nothing is seen through any pixel of these rows.
    ///
    /// O(pixels of the rows), up to the first that something is seen through.
    ///
    /// - Precondition: the picture has these rows.
    public func isOpaque(inRows rows: Range<Int>) -> Bool {
        let stride = 4 * size.width
        return !pixels.span.extracting(stride * rows.lowerBound..<stride * rows.upperBound)
            .hasTransparency
    }
}

extension Span<UInt8> {
    /// Whether something is seen through one of these pixels, of which each has four bytes.
    var hasTransparency: Bool {
        var index = 3
        while index < count, self[index] == 255 { index += 4 }
        return index < count
    }
}
