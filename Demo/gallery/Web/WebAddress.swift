/// The address at which a server listens.
///
/// ```swift
/// WebAddress("127.0.0.1:8080")       // .tcp(host: "127.0.0.1", port: 8080)
/// WebAddress("[::1]:8080")
/// WebAddress("unix:/run/gallery.sock")
/// ```
public enum WebAddress: Sendable, Equatable {
    /// A host in digits, or `localhost`; port 0 is one that the system chooses.
    case tcp(host: String, port: Int)
    /// A unix socket, for those whom its mode, 0660, lets in.
    ///
    /// The path's length is checked before libevent sees it. Libevent's own fault with the
    /// addresses of unix sockets (CVE-2026-63388) isn't closed by that, as it's in the *client's*
    /// address, which libevent takes from the kernel. Debian's 2.1.12-stable-8+deb12u1 has it
    /// mended, and reports the same version as one that hasn't; there, who may open the socket can
    /// end the server, and the mode says who may.
    case unix(path: String)
    /// A socket that listens already, as a service manager passes it; the server closes it.
    case descriptor(Int32)

    /// The address that a text names; nil if it names none.
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
    /// Whether it's a digit of ASCII.
    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}

/// As the text that names it.
extension WebAddress: CustomStringConvertible {
    /// The text that names it.
    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        case .descriptor(let descriptor): "descriptor \(descriptor)"
        }
    }
}
