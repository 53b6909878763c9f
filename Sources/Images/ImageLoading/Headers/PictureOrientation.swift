/// An orientation of a stored picture: one of the eight values of the EXIF tag 0x112.
public enum PictureOrientation: Int, CaseIterable, Hashable, Sendable {
    /// Upright.
    case upright = 1
    /// Mirrored left to right.
    case mirrored
    /// Rotated by 180°.
    case halfTurn
    /// Mirrored top to bottom.
    case flipped
    /// Rows and columns exchanged: mirrored along the diagonal from the top left.
    case transposed
    /// To be rotated by 90°, clockwise.
    case quarterTurn
    /// Mirrored along the diagonal from the top right.
    case transversed
    /// To be rotated by 270°, clockwise.
    case threeQuarterTurn

    /// Whether width and height are exchanged.
    public var swapsSides: Bool { rawValue >= 5 }

    /// Returns the stored size for an upright size, or the upright size for a stored one.
    func stored(_ size: PixelSize) -> PixelSize {
        swapsSides ? PixelSize(width: size.height, height: size.width) : size
    }
}
