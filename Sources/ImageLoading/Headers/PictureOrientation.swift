/// The turn that makes a stored picture upright: the eight values of EXIF's tag 0x112.
public enum PictureOrientation: Int, CaseIterable, Hashable, Sendable {
    /// As it is.
    case upright = 1
    /// Mirrored left to right.
    case mirrored
    /// Turned by half a circle.
    case halfTurn
    /// Mirrored top to bottom.
    case flipped
    /// Rows and columns exchanged: mirrored along the diagonal from the top left.
    case transposed
    /// To be turned by a quarter, clockwise.
    case quarterTurn
    /// Mirrored along the diagonal from the top right.
    case transversed
    /// To be turned by three quarters, clockwise.
    case threeQuarterTurn

    /// Whether width and height change places.
    public var swapsSides: Bool { rawValue >= 5 }

    /// The size that a picture has as stored, if it has this one upright; and the other way round.
    func stored(_ size: PixelSize) -> PixelSize {
        swapsSides ? PixelSize(width: size.height, height: size.width) : size
    }
}
