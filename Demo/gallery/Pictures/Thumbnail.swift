/// A small picture as a file that a browser shows: a PNG if something is seen through it, else a JPEG.
public struct Thumbnail: Equatable, Sendable {
    /// The most bytes.
    public static let byteLimit = 240_000

    /// The file.
    public let bytes: [UInt8]

    /// The media type.
    public var type: String { bytes.first == 0x89 ? "image/png" : "image/jpeg" }
}
