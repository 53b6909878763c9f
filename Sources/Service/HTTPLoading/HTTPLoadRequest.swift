/// A request to a server.
public struct HTTPLoadRequest: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The URL, of HTTP or HTTPS.
    public var url: String
    /// Additional headers, by their names, such as `Authorization`.
    ///
    /// A header that contains a control character is omitted. Without `Accept-Encoding`, a server is
    /// asked to compress a body, but not the part of one that a `Range` names.
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

    /// The statuses of bodies that aren't the resource, and the headers that ask for them.
    private static let partial = [206: "range", 226: "a-im"]

    private func has(_ name: String) -> Bool { headers.keys.contains { $0.lowercased() == name } }

    /// Returns whether a response of this status has what the request asks for.
    func accepts(_ status: Int) -> Bool {
        Self.partial[status].map(has) ?? (200..<300).contains(status)
    }

    /// Returns all header lines of the request other than the library's own.
    func lines(accept: String) -> [String] {
        var all = headers
        if !has("accept") { all["Accept"] = accept }
        if has("range"), !has("accept-encoding") { all["Accept-Encoding"] = "identity" }
        if let etag = validators?.etag { all["If-None-Match"] = etag }
        if let date = validators?.lastModified { all["If-Modified-Since"] = date }
        return all.sorted { $0.key < $1.key }.compactMap { name, value in
            let line = "\(name): \(value)"
            return line.utf8.contains { $0 < 0x20 || $0 == 0x7f } ? nil : line
        }
    }
}
