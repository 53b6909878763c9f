/// The address at which a server listens.
///
/// ```swift
/// WebAddress("127.0.0.1:8080")       // .tcp(host: "127.0.0.1", port: 8080)
/// WebAddress("[::1]:8080")
/// WebAddress("unix:/run/gallery.sock")
/// ```
public enum WebAddress: Sendable, Equatable {
    /// A numeric host, or `localhost`; with port 0 the system chooses one.
    case tcp(host: String, port: Int)
    /// A unix socket, for users whom its mode, 0660, permits.
    ///
    /// The path's length is checked before libevent sees it. That doesn't fix libevent's bug with
    /// the addresses of unix sockets (CVE-2026-63388), as it concerns the *client's* address, which
    /// libevent takes from the kernel. Debian's 2.1.12-stable-8+deb12u1 has the fix, and reports
    /// the same version as one without it; without it, whoever may open the socket can crash the
    /// server, and the mode determines who may.
    case unix(path: String)
    /// A listening socket, as a service manager passes it; the server closes it.
    case descriptor(Int32)

    /// Parses an address; nil if the text isn't one.
    public init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = text.dropFirst(5)
            guard !path.isEmpty else { return nil }
            self = .unix(path: String(path))
            return
        }
        guard let colon = text.lastIndex(of: ":"),
            let port = Self.port(text[text.index(after: colon)...])
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self = .tcp(host: String(host), port: port)
    }

    private static func port(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy(\.isDigit), let port = UInt16(text) else { return nil }
        return Int(port)
    }
}

extension UInt8 {
    /// Whether it is an ASCII digit.
    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}

/// The text of an address.
extension WebAddress: CustomStringConvertible {
    /// The address as text, which can be parsed again.
    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        case .descriptor(let descriptor): "descriptor \(descriptor)"
        }
    }
}
