/// A small picture as a file for browsers: a PNG if it has transparency, else a JPEG.
public struct Thumbnail: Equatable, Sendable {
    /// The maximum size in bytes.
    public static let byteLimit = 240_000

    /// The content of the file.
    public let bytes: [UInt8]

    /// The media type.
    public var type: String { bytes.first == 0x89 ? "image/png" : "image/jpeg" }
}
