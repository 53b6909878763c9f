/// A request to a server.
public struct HTTPLoadRequest: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The address; of HTTP or HTTPS.
    public var url: String
    /// More headers, by their names: `Authorization`, say.
    ///
    /// One with a control character in it is left out.
    public var headers: [String: String] = [:]
    /// The version that is there already: if it's still right, the answer has status 304 and no bytes.
    public var known: HTTPLoadResponse.Version?

    /// A request for what is at an address.
    public init(_ url: String, known: HTTPLoadResponse.Version? = nil) {
        self.url = url
        self.known = known
    }

    /// A request for what is at an address.
    public init(stringLiteral url: String) {
        self.init(url)
    }

    /// All lines of the request's head that aren't the library's own.
    func lines(accept: String) -> [String] {
        var all = headers
        if all["Accept"] == nil { all["Accept"] = accept }
        if let etag = known?.etag { all["If-None-Match"] = etag }
        if let date = known?.lastModified { all["If-Modified-Since"] = date }
        return all.sorted { $0.key < $1.key }.compactMap { name, value in
            let line = "\(name): \(value)"
            return line.utf8.contains { $0 < 0x20 || $0 == 0x7f } ? nil : line
        }
    }
}
