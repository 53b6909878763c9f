internal import Glibc

/// The address of one end of a socket, as the kernel represents it.
struct SocketName {
    private let bytes: [UInt8]

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates a name from a numeric address, or `localhost`; nil if it's neither.
    init?(host: String, port: Int) {
        guard let port = UInt16(exactly: port) else { return nil }
        let portBytes = [UInt8(port >> 8), UInt8(port & 0xff)]
        if let address = Self.digits(host == "localhost" ? "127.0.0.1" : host, AF_INET, 4) {
            bytes = Self.family(AF_INET) + portBytes + address + [UInt8](repeating: 0, count: 8)
        } else if let address = Self.digits(host, AF_INET6, 16) {
            let none: [UInt8] = [0, 0, 0, 0]
            bytes = Self.family(AF_INET6) + portBytes + none + address + none
        } else {
            return nil
        }
    }

    /// The maximum number of bytes of a unix socket's path.
    static let pathLimit = 107

    /// Creates the name of a unix socket; nil if the path is too long or contains a zero byte.
    init?(path: String) {
        let path = Array(path.utf8)
        guard 1...Self.pathLimit ~= path.count, !path.contains(0) else { return nil }
        bytes = Self.family(AF_UNIX) + path + [0]
    }

    /// Returns the local name of a socket.
    static func local(of descriptor: Int32) -> SocketName? {
        unsafe read { unsafe getsockname(descriptor, $0, $1) }
    }

    /// Returns the name of the peer.
    static func peer(of descriptor: Int32) -> SocketName? {
        unsafe read { unsafe getpeername(descriptor, $0, $1) }
    }

    // MARK: - Address

    var family: Int32 {
        bytes.count < 2 ? AF_UNSPEC : Int32(UInt16(bytes[1]) << 8 | UInt16(bytes[0]))
    }

    /// The numeric address; nil for a unix socket.
    var host: String? {
        switch family {
        case AF_INET: bytes[4..<8].map(String.init).joined(separator: ".")
        case AF_INET6: mapped.map { $0.map(String.init).joined(separator: ".") } ?? longHost
        default: nil
        }
    }

    var port: Int { bytes.count < 4 ? 0 : Int(bytes[2]) << 8 | Int(bytes[3]) }

    var path: String {
        String(decoding: bytes.dropFirst(2).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The address in the notation of IPv6, where an IPv4 address is a mapped one; nil for a unix
    /// socket.
    private var address: [UInt8]? {
        switch family {
        case AF_INET: Self.mappedPrefix + bytes[4..<8]
        case AF_INET6: Array(bytes[8..<24])
        default: nil
        }
    }

    private static let mappedPrefix: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]

    /// The part of the address that identifies a client: an IPv4 address, or an IPv6 network of 64
    /// bits, as a client can use all addresses of its network.
    var key: UInt64? {
        address.map { $0.starts(with: Self.mappedPrefix) ? $0.suffix(8) : $0.prefix(8) }
            .map(Self.number)
    }

    var isLoopback: Bool {
        switch family {
        case AF_INET: bytes[4] == 127
        case AF_INET6: mapped?.first == 127 || host == "::1"
        default: false
        }
    }

    /// The IPv4 address in an IPv4-mapped IPv6 address.
    private var mapped: ArraySlice<UInt8>? {
        guard bytes.count >= 24, bytes[8..<20].elementsEqual(Self.mappedPrefix) else { return nil }
        return bytes[20..<24]
    }

    private var longHost: String? {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let address = Array(bytes[8..<24])
        guard unsafe inet_ntop(AF_INET6, address, &text, socklen_t(text.count)) != nil else {
            return nil
        }
        return String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    // MARK: - System calls

    /// Calls `body` with the name as the kernel represents it.
    func withPointer<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        unsafe bytes.withUnsafeBytes { raw in
            guard let start = raw.baseAddress else {
                preconditionFailure("a name has a family")
            }
            return unsafe body(start.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
        }
    }

    private static func read(
        _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SocketName? {
        var room = [UInt8](repeating: 0, count: MemoryLayout<sockaddr_storage>.size)
        var length = socklen_t(room.count)
        let status = unsafe room.withUnsafeMutableBytes { raw in
            guard let start = raw.baseAddress else { return Int32(-1) }
            return unsafe call(start.assumingMemoryBound(to: sockaddr.self), &length)
        }
        guard status == 0 else { return nil }
        return SocketName(bytes: Array(room.prefix(Int(length))))
    }

    private static func family(_ family: Int32) -> [UInt8] {
        [UInt8(truncatingIfNeeded: family), UInt8(truncatingIfNeeded: family >> 8)]
    }

    private static func digits(_ host: String, _ family: Int32, _ count: Int) -> [UInt8]? {
        var address = [UInt8](repeating: 0, count: count)
        return unsafe inet_pton(family, host, &address) == 1 ? address : nil
    }
}
