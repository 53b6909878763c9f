/// A request to a server.
public struct HTTPLoadRequest: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The URL, of HTTP or HTTPS.
    public var url: String
    /// Additional headers, by their names, such as `Authorization`.
    ///
    /// A header that contains a control character is omitted.
    public var headers: [String: String] = [:]
    /// The validators of the available version; if it's still valid, the response has status 304
    /// and no body.
    public var validators: HTTPLoadResponse.Version?

    /// Creates a request for the resource at a URL.
    public init(_ url: String, validators: HTTPLoadResponse.Version? = nil) {
        self.url = url
        self.validators = validators
    }

    /// Creates a request for the resource at a URL.
    public init(stringLiteral url: String) {
        self.init(url)
    }

    /// Returns all header lines of the request other than the library's own.
    func lines(accept: String) -> [String] {
        var all = headers
        if all["Accept"] == nil { all["Accept"] = accept }
        if let etag = validators?.etag { all["If-None-Match"] = etag }
        if let date = validators?.lastModified { all["If-Modified-Since"] = date }
        return all.sorted { $0.key < $1.key }.compactMap { name, value in
            let line = "\(name): \(value)"
            return line.utf8.contains { $0 < 0x20 || $0 == 0x7f } ? nil : line
        }
    }
}
