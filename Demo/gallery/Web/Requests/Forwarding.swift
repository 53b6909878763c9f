/// The statements of trusted proxies about a request: who sent it, and by which address.
///
/// A client can send these headers as well, so they are read from the end, where the nearest proxy
/// has added its own: the client is the last address that isn't a trusted proxy's, and nothing to
/// its left is read. Of `X-Forwarded-Host` and `X-Forwarded-Proto` the last value counts, and of
/// `Forwarded` the element of that client. The request is refused if a statement that counts is
/// malformed, or if `Forwarded` and `X-Forwarded-For` disagree, as when a proxy passes one of them
/// on unread.
struct Forwarding {
    /// The client, which is the proxy itself if it states none; nil if the peer isn't trusted.
    private(set) var client: SocketName?
    /// The host that the client has requested; nil if it's the one in `Host`.
    private(set) var host: String?
    /// The scheme that the client used, `http` or `https`; nil if unknown.
    private(set) var scheme: String?
    /// Whether the proxy has removed the path in front of this server's.
    private(set) var hasRemovedPrefix = false

    /// The maximum number of proxies between a client and the server.
    static let mostProxies = 32

    /// Reads the headers of a request from a peer; they say nothing unless it is a trusted proxy.
    init(
        _ fields: [RequestField], from peer: SocketName, trusting proxies: [TrustedProxy]
    ) throws(WebRefusal) {
        let isTrusted = { (name: SocketName) in proxies.contains { $0.contains(name) } }
        guard isTrusted(peer) else { return }
        let values = { (name: String) in fields.filter { $0.isNamed(name) }.map(\.value) }
        let listed = try Self.client(
            values("x-forwarded-for").flatMap {
                $0.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                    .map(Self.trimmed)
            }, isTrusted)
        host = Self.last(values("x-forwarded-host"))
        scheme = Self.last(values("x-forwarded-proto"))?.lowercased()
        client = listed?.client ?? peer

        var elements: [ForwardedElement] = []
        for value in values("forwarded") {
            guard let parsed = ForwardedElement.parse(value) else { throw .forwarded }
            elements += parsed
        }
        if let stated = try Self.client(elements.map { $0.values["for"] ?? "unknown" }, isTrusted) {
            guard listed == nil || listed?.client?.address == stated.client?.address else {
                throw .forwarded
            }
            client = stated.client ?? peer
            host = elements[stated.index].values["host"] ?? host
            scheme = elements[stated.index].values["proto"]?.lowercased() ?? scheme
        }
        guard scheme == nil || scheme == "http" || scheme == "https" else { throw .forwarded }
        if let prefix = Self.last(values("x-forwarded-prefix")) {
            guard BasePath(prefix) != nil else { throw .forwarded }
            hasRemovedPrefix = true
        }
    }

    /// Returns the client in a list of the addresses from which each proxy was reached, and its
    /// index; nil without any.
    ///
    /// The client is nil if the last proxy doesn't know it.
    private static func client(
        _ list: [String], _ isTrusted: (SocketName) -> Bool
    ) throws(WebRefusal) -> (client: SocketName?, index: Int)? {
        var found: (client: SocketName?, index: Int)?
        for (index, text) in list.enumerated().reversed() {
            guard list.count - index <= mostProxies else { throw .forwarded }
            if text == "unknown" || text.hasPrefix("_") { return (found?.client, index) }
            guard let name = SocketName(forwarded: text) else { throw .forwarded }
            found = (name, index)
            if !isTrusted(name) { break }
        }
        return found
    }

    /// Returns the last of the values in headers of one name.
    private static func last(_ headers: [[UInt8]]) -> String? {
        headers.last.map { header in
            trimmed(header[(header.lastIndex(of: UInt8(ascii: ",")).map { $0 + 1 } ?? 0)...])
        }
    }

    /// Returns the text without the blanks around it.
    private static func trimmed(_ value: ArraySlice<UInt8>) -> String {
        var value = value
        let blanks = " \t".utf8
        while let first = value.first, blanks.contains(first) { value.removeFirst() }
        while let last = value.last, blanks.contains(last) { value.removeLast() }
        return String(decoding: value, as: UTF8.self)
    }
}

extension SocketName {
    /// Parses an address with or without a port, as proxies write it: `192.0.2.1`, `192.0.2.1:80`,
    /// `2001:db8::1` or `[2001:db8::1]:80`.
    init?(forwarded text: String) {
        if let name = SocketName(digits: text[...]) {
            self = name
            return
        }
        guard case .tcp(let host, _) = WebAddress(text.hasSuffix("]") ? text + ":0" : text) else {
            return nil
        }
        self.init(digits: host[...])
    }
}
