/// The head of a request, which can be interpreted in one way only.
///
/// A proxy between the client and this server may determine a request's length differently from
/// libevent; the end of one request would then be the beginning of another that nobody has checked
/// (request smuggling). Therefore any unusual statement of a length is rejected, and the connection
/// closed.
struct RequestHead {
    let target: RequestTarget
    /// Whether the target is below the server's base path, or is the base path itself.
    let place: BasePath.Place
    /// Whether the connection may be kept for another request.
    let canKeepAlive: Bool

    /// Validates a request of a connection between `endpoints`.
    init(
        _ raw: RawRequest, hosts: HostRule, below base: BasePath, at endpoints: Endpoints
    ) throws(WebRefusal) {
        guard raw.version.major == 1, 0...1 ~= raw.version.minor else { throw .version }
        guard raw.fields.allSatisfy(Self.isSound) else { throw .header }
        let values = { (name: String) in raw.fields.filter { $0.isNamed(name) }.map(\.text) }
        guard values("transfer-encoding").isEmpty else { throw .transferEncoding }
        let hasBody = try Self.length(values("content-length")) > 0
        guard let method = raw.method else { throw .method }
        if hasBody, method != .post { throw .unexpectedBody }
        place = base.place(of: raw.target)
        if case .below(let target) = place {
            self.target = try RequestTarget(target)
        } else {
            target = try RequestTarget(raw.target)
        }
        let host = try hosts.check(values("host"), at: endpoints)
        if method == .post {
            guard
                values("origin").allSatisfy({ HostRule.isOrigin($0, of: host) }),
                !values("sec-fetch-site").contains("cross-site")
            else { throw .crossSite }
        }
        let wishes = values("connection").flatMap { $0.lowercased().split(separator: ",") }
        let isToClose = wishes.contains { $0.split(whereSeparator: \.isWhitespace) == ["close"] }
        canKeepAlive = raw.version.minor == 1 && !hasBody && !isToClose
    }

    private static func isSound(_ field: RequestField) -> Bool {
        RequestField.isName(field.name) && RequestField.isValue(field.value)
    }

    private static func length(_ values: [String]) throws(WebRefusal) -> Int {
        guard let text = values.first else { return 0 }
        guard values.count == 1, text.utf8.allSatisfy(\.isDigit), let length = Int(text) else {
            throw .length
        }
        return length
    }
}
