/// A picture, in a file or on a server, and the box that it is to lie in.
///
/// ```swift
/// pictures.subscribe(to: PictureRequest("photos/a.jpg", fitting: box))
/// pictures.subscribe(to: PictureRequest(url: "https://example.org/a.jpg", fitting: box))
/// pictures.subscribe(to: PictureRequest(named: CommandLine.arguments[1], fitting: box))
/// ```
public struct PictureRequest: Hashable, Sendable {
    /// The places where pictures are.
    public enum Place: Hashable, Sendable {
        /// A file, by its path.
        case file(String)
        /// An HTTP or HTTPS address, for a source that has a ``PictureTransport``.
        case url(String)
    }

    /// The place of the picture.
    public var place: Place
    /// The picture is scaled down to lie in it, and never scaled up.
    public var box: PixelSize

    /// A request for the picture of a file.
    public init(_ path: String, fitting box: PixelSize) {
        place = .file(path)
        self.box = box
    }

    /// A request for the picture at an address.
    public init(url: String, fitting box: PixelSize) {
        place = .url(url)
        self.box = box
    }

    /// A request for the picture at an HTTP or HTTPS address, or else of the file of that name.
    public init(named name: String, fitting box: PixelSize) {
        let start = name.prefix(8).lowercased()
        let isAddress = start.hasPrefix("http://") || start == "https://"
        place = isAddress ? .url(name) : .file(name)
        self.box = box
    }

    /// The path or the address.
    public var name: String {
        switch place {
        case .file(let name), .url(let name): name
        }
    }
}
