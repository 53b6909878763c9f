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

    /// What `text` gave; nil for any other text.
    init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let picture = PictureKey(text: String(parts[0])),
            let size = ThumbnailKind.allCases.first(where: { $0.name == parts[1] })
        else { return nil }
        self.init(picture: picture, size: size)
    }

    /// As `0123456789abcdef-0123456789abcdef.row`, which can be the name of a file.
    public var text: String { "\(picture.text).\(size.name)" }
}
