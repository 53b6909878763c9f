/// A request for a picture, in a file or on a server, scaled down to fit a target size.
///
/// ```swift
/// list.subscribe(to: PictureRequest("photos/a.jpg", fitting: targetSize))
/// list.subscribe(to: PictureRequest(url: "https://example.org/a.jpg", fitting: targetSize))
/// list.subscribe(to: PictureRequest(named: CommandLine.arguments[1], fitting: targetSize))
/// ```
public struct PictureRequest: Hashable, Sendable {
    /// The location of a picture.
    public enum Place: Hashable, Sendable {
        /// A file, by its path.
        case file(String)
        /// An HTTP or HTTPS URL, for a source that has a ``PictureTransport``.
        case url(String)
    }

    /// The location of the picture.
    public var place: Place
    /// The size that the picture is scaled down to fit; it's never scaled up.
    public var targetSize: PixelSize

    /// Creates a request for the picture in a file.
    public init(_ path: String, fitting targetSize: PixelSize) {
        place = .file(path)
        self.targetSize = targetSize
    }

    /// Creates a request for the picture at a URL.
    public init(url: String, fitting targetSize: PixelSize) {
        place = .url(url)
        self.targetSize = targetSize
    }

    /// Creates a request for the picture at an HTTP or HTTPS URL, or else in the file of that name.
    public init(named name: String, fitting targetSize: PixelSize) {
        let start = name.prefix(8).lowercased()
        let isAddress = start.hasPrefix("http://") || start == "https://"
        place = isAddress ? .url(name) : .file(name)
        self.targetSize = targetSize
    }

    /// The path or the URL.
    public var name: String {
        switch place {
        case .file(let name), .url(let name): name
        }
    }
}
