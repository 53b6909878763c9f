public import GalleryFiles
public import ImageLoading

/// A version of a picture and a kind of thumbnail.
public struct ThumbnailKey: Hashable, Sendable {
    /// The picture.
    public let picture: PictureKey
    /// The kind of thumbnail.
    public let size: ThumbnailKind

    /// Creates the key of a thumbnail of that kind.
    public init(picture: PictureKey, size: ThumbnailKind) {
        self.picture = picture
        self.size = size
    }

    /// Hashes the picture's number alone: few keys have the same, and keys are looked up for each row
    /// in each frame.
    public func hash(into hasher: inout Hasher) { hasher.combine(picture.id) }

    /// The key as `0123456789abcdef-0123456789abcdef.row`.
    public var text: String { "\(picture.text).\(size)" }
}

/// The purpose of a thumbnail, which determines its size.
public enum ThumbnailKind: CaseIterable, Hashable, Sendable {
    /// A row of the list, on a screen with two pixels for each CSS pixel.
    case row
    /// The large view.
    case view

    /// The size that the picture is scaled down to fit.
    public var targetSize: PixelSize {
        switch self {
        case .row: PixelSize(width: 384, height: 288)
        case .view: PixelSize(width: 1280, height: 960)
        }
    }
}
