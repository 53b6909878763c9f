/// The host names by which a server may be addressed.
///
/// Any web page can make its own name resolve to 127.0.0.1, and could then read this server as its
/// own origin (DNS rebinding); therefore a request must name a host of this server. A numeric
/// address can't be rebound, so the one on which a connection was accepted is always valid.
struct HostRule {
    let names: Set<String>

    init(_ names: [String]) {
        self.names = Set(names.map { $0.lowercased() })
    }

    /// Returns the host in a request, in lower case, with its port if it has one.
    func check(_ values: [String], at endpoints: Endpoints) throws(WebRefusal) -> String {
        guard values.count == 1 else { throw .host }
        let host = values[0].lowercased()
        guard let name = Self.name(host) else { throw .host }
        let isOwn = names.contains(name) || names.contains(host) || endpoints.names.contains(name)
        guard isOwn else { throw .foreignHost }
        return host
    }

    /// Returns whether an origin, as a browser sends it, is this host's: with either scheme, as a
    /// proxy may do the encryption.
    static func isOrigin(_ origin: String, of host: String) -> Bool {
        ["http://\(host)", "https://\(host)"].contains(origin.lowercased())
    }

    /// Returns the name without its port, and without an IPv6 address's brackets; nil if it isn't
    /// one.
    private static func name(_ host: String) -> String? {
        let bytes = Array(host.utf8)
        let end: Int
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            guard bytes[1..<bracket].allSatisfy({ isHexDigit($0) || ":.".utf8.contains($0) })
            else { return nil }
            end = bracket + 1
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
            guard bytes[..<end].allSatisfy(isNameByte) else { return nil }
        }
        let port = bytes[end...]
        guard end > 0, port.isEmpty || port.count > 1 && port.dropFirst().allSatisfy(\.isDigit)
        else { return nil }
        let name = String(decoding: bytes[..<end], as: UTF8.self)
        return name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || "-._".utf8.contains(byte)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        byte.isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
    }
}
