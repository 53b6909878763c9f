public import ImageLoading

/// A small picture as a file for browsers: a PNG if it has transparency, else a JPEG.
public struct Thumbnail: Equatable, Sendable {
    /// The maximum size in bytes.
    public static let byteLimit = 240_000

    /// The content of the file, which a lane makes and the loop frees.
    private let file: PictureBuffer
    /// The damage of the picture's file, a part of which isn't shown; nil if it's sound.
    public let damage: PictureError.Reason?

    init(bytes: [UInt8], damage: PictureError.Reason? = nil) {
        file = PictureBuffer(bytes)
        self.damage = damage
    }

    /// A copy of the content of the file.
    public var bytes: [UInt8] { Array(file) }
    /// The length of the file.
    public var byteCount: Int { file.count }

    /// The base64 text of a tiny picture to be shown until this one has arrived; nil if it has none.
    ///
    /// It is that of a PNG, or of what follows ``previewHead`` in a JPEG, after the width and the
    /// height, which are a byte each.
    public var preview: String? { ThumbnailPreview.find(in: file) }
    /// The base64 text of the header of previews that are JPEGs; empty if there is none.
    public static var previewHead: String { ThumbnailPreview.head }

    /// The media type.
    public var type: String { file.first == 0x89 ? "image/png" : "image/jpeg" }
}
