public import GalleryFiles

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
    public var text: String { "\(picture.text).\(size.name)" }
}
