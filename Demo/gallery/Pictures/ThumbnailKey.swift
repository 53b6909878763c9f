public import GalleryFiles
public import ImageLoading

/// A picture as it was at one time, and what a small one of it is for.
public struct ThumbnailKey: Hashable, Sendable {
    /// The picture.
    public let picture: PictureKey
    /// The kind of thumbnail.
    public let size: ThumbnailKind

    /// A small picture of that kind.
    public init(picture: PictureKey, size: ThumbnailKind) {
        self.picture = picture
        self.size = size
    }

    /// As `0123456789abcdef-0123456789abcdef.row`.
    public var text: String { "\(picture.text).\(size)" }
}

/// The purpose of a small picture, which decides its size.
public enum ThumbnailKind: CaseIterable, Hashable, Sendable {
    /// A row of the list, on a screen with two pixels for one of CSS's.
    case row
    /// The large view.
    case view

    /// The box that the picture is fitted in.
    public var box: PixelSize {
        switch self {
        case .row: PixelSize(width: 384, height: 288)
        case .view: PixelSize(width: 1280, height: 960)
        }
    }
}
