internal import CLullCurl
internal import LullLibC

/// The IP address of a server, found by a name lookup and about to be connected to.
public struct HTTPAddress: Hashable, Sendable {
    /// The 4 bytes of an IPv4 address, or the 16 bytes of an IPv6 address.
    public let bytes: [UInt8]
    /// The port number.
    public let port: Int

    /// Parses a numeric address, such as `192.0.2.1` or `2001:db8::1`; nil if the text isn't one.
    public init?(_ text: String, port: Int = 0) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
            bytes.removeLast(12)
        } else if unsafe inet_pton(AF_INET6, text, &bytes) != 1 {
            return nil
        }
        self.bytes = bytes
        self.port = port
    }

    /// Reads the address that libcurl is about to connect to; nil if it's of another family.
    init?(_ place: UnsafePointer<curl_sockaddr>) {
        var bytes = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        let count = Int(unsafe http_address(place, &bytes, &port))
        guard count > 0 else { return nil }
        self.bytes = Array(bytes[..<count])
        self.port = Int(port)
    }

    /// Whether everybody on the Internet reaches the same server by this address.
    ///
    /// Not public are addresses of the machine itself (loopback), of private and shared networks,
    /// link-local and multicast addresses, those for documentation and benchmarks, and those that
    /// the registries of IANA reserve for special purposes. Nor are IPv6 addresses that stand for
    /// an IPv4 address that isn't public (mapped, NAT64, 6to4), or that lead through a relay
    /// (Teredo). Nor is 168.63.129.16, by which virtual machines in Azure reach their host.
    ///
    /// A network may have a NAT64 prefix of its own (RFC 6052), which can't be recognized from an
    /// address. If there is one, reject it by ``HTTPLoaderConfiguration/Addresses/only(_:)``.
    public var isPublic: Bool {
        if let inner = embedded { return HTTPAddress(inner).isPublic }
        let ranges = bytes.count == 4 ? Self.reserved4 : Self.reserved6
        let isAssigned = bytes.count == 4 || Self.global6.contains(bytes)
        return isAssigned && !ranges.contains { $0.contains(bytes) }
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = Array(bytes)
        port = 0
    }

    /// The IPv4 address that an IPv6 address stands for.
    private var embedded: ArraySlice<UInt8>? {
        guard bytes.count == 16 else { return nil }
        if Self.mapped.contains(bytes) || Self.translated.contains(bytes) { return bytes[12...] }
        return Self.relayed.contains(bytes) ? bytes[2..<6] : nil
    }

    private static let mapped = Network("::ffff:0:0", 96)
    private static let translated = Network("64:ff9b::", 96)
    private static let relayed = Network("2002::", 16)

    /// The special-purpose IPv4 addresses, and the one by which virtual machines in Azure reach
    /// their host.
    private static let reserved4 = [
        Network("0.0.0.0", 8), Network("10.0.0.0", 8), Network("100.64.0.0", 10),
        Network("127.0.0.0", 8), Network("168.63.129.16", 32), Network("169.254.0.0", 16),
        Network("172.16.0.0", 12),
        Network("192.0.0.0", 24), Network("192.0.2.0", 24), Network("192.88.99.0", 24),
        Network("192.168.0.0", 16), Network("198.18.0.0", 15), Network("198.51.100.0", 24),
        Network("203.0.113.0", 24), Network("224.0.0.0", 3),
    ]
    /// The part of IPv6 that is assigned to networks of the Internet; the rest isn't public.
    private static let global6 = Network("2000::", 3)
    /// The special-purpose addresses within that part.
    private static let reserved6 = [
        Network("2001::", 23), Network("2001:db8::", 32), Network("3fff::", 20),
    ]

    /// A network: all addresses with the same prefix.
    private struct Network {
        let first: [UInt8]
        let bits: Int

        init(_ text: String, _ bits: Int) {
            first = HTTPAddress(text)?.bytes ?? []
            self.bits = bits
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            let (whole, rest) = (bits / 8, bits % 8)
            guard bytes.count == first.count, bytes[..<whole] == first[..<whole] else {
                return false
            }
            return rest == 0 || (bytes[whole] ^ first[whole]) >> (8 - rest) == 0
        }
    }
}

extension HTTPAddress: CustomStringConvertible {
    /// The address in numeric form, without its port.
    public var description: String {
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            unsafe inet_ntop(family, bytes, text.baseAddress, socklen_t(text.count)).map {
                unsafe String(cString: $0)
            } ?? ""
        }
    }
}
