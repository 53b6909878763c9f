/// A request for a picture, in a file or on a server, scaled down to fit a target size.
///
/// ```swift
/// list.subscribe(to: PictureRequest("photos/a.jpg", fitting: targetSize))
/// list.subscribe(to: PictureRequest(url: "https://example.org/a.jpg", fitting: targetSize))
/// list.subscribe(to: PictureRequest(named: CommandLine.arguments[1], fitting: targetSize))
/// ```
public struct PictureRequest: Hashable, Sendable {
    /// The path of the file, or the HTTP or HTTPS URL.
    public let name: String
    /// Whether it's a URL, for a source that has a ``PictureTransport``.
    public let isRemote: Bool
    /// The size that the picture is scaled down to fit; it's never scaled up.
    public var targetSize: PixelSize

    /// Creates a request for the picture in a file.
    public init(_ path: String, fitting targetSize: PixelSize) {
        (name, isRemote) = (path, false)
        self.targetSize = targetSize
    }

    /// Creates a request for the picture at a URL.
    public init(url: String, fitting targetSize: PixelSize) {
        (name, isRemote) = (url, true)
        self.targetSize = targetSize
    }

    /// Creates a request for the picture at an HTTP or HTTPS URL, or else in the file of that name.
    public init(named name: String, fitting targetSize: PixelSize) {
        let start = name.prefix(8).lowercased()
        self.name = name
        isRemote = start.hasPrefix("http://") || start == "https://"
        self.targetSize = targetSize
    }
}
