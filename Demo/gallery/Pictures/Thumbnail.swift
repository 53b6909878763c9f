public import ImageLoading

/// A small picture as a file that a browser shows.
public struct Thumbnail: Equatable, Sendable {
    /// The kinds of file.
    enum Format: UInt8 {
        case jpeg = 1
        case png = 2
    }

    /// The most bytes.
    public static let byteLimit = 240_000

    /// The file.
    public let bytes: [UInt8]
    /// The size in pixels.
    public let size: PixelSize
    let format: Format

    init(_ bytes: [UInt8], _ format: Format, _ size: PixelSize) {
        self.bytes = bytes
        self.format = format
        self.size = size
    }

    /// The media type: `image/jpeg`, or `image/png` if something is seen through
    /// it.
    public var type: String {
        switch format {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        }
    }
}
