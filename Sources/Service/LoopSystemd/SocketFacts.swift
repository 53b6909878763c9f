internal import LullLibC

/// The properties of a socket: its address family, its type, and its address.
public struct SocketFacts: Equatable, Sendable {
    /// The address family of a socket.
    public enum Family: Equatable, Sendable {
        /// A Unix domain socket: a path or an abstract name.
        case unix
        /// The Internet protocol, version 4.
        case inet
        /// The Internet protocol, version 6.
        case inet6
        /// Any other family, by its number.
        case other(Int32)
    }

    /// The type of a socket.
    public enum Kind: Equatable, Sendable {
        /// A stream of bytes.
        case stream
        /// Independent messages.
        case datagrams
        /// Messages, in order, over a connection.
        case sequencedPackets
        /// Any other type, by its number.
        case other(Int32)
    }

    /// The address family of the socket.
    public let family: Family
    /// The type of the socket.
    public let kind: Kind
    /// Whether the socket accepts connections.
    public let isListening: Bool
    /// The path of a Unix domain socket, or `@` and its abstract name; nil if it has none.
    public let path: String?
    /// The port of an Internet socket; nil if it has none.
    public let port: UInt16?
}

extension SocketFacts {
    init(of descriptor: Int32) throws(SystemdError) {
        let family: Family =
            switch try Self.option(SO_DOMAIN, of: descriptor) {
            case AF_UNIX: .unix
            case AF_INET: .inet
            case AF_INET6: .inet6
            case let number: .other(number)
            }
        let kind: Kind =
            switch try Self.option(SO_TYPE, of: descriptor) {
            case Int32(SOCK_STREAM.rawValue): .stream
            case Int32(SOCK_DGRAM.rawValue): .datagrams
            case Int32(SOCK_SEQPACKET.rawValue): .sequencedPackets
            case let number: .other(number)
            }
        let isListening = try Self.option(SO_ACCEPTCONN, of: descriptor) != 0
        let name = Self.name(of: descriptor)
        // Both families have the port in network byte order, right after the family.
        let hasPort = (family == .inet || family == .inet6) && name.count >= 4
        let port = hasPort ? UInt16(name[2]) << 8 | UInt16(name[3]) : 0
        self.init(
            family: family, kind: kind, isListening: isListening,
            path: family == .unix ? Self.path(in: name.dropFirst(2)) : nil,
            port: port > 0 ? port : nil)
    }

    private static func option(
        _ option: Int32, of descriptor: Int32
    ) throws(SystemdError) -> Int32 {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, option, &value, &length) == 0 else {
            throw .system(call: "getsockopt", errno: errno)
        }
        return value
    }

    /// Returns the bytes of a socket's address; none if it can't be determined.
    private static func name(of descriptor: Int32) -> [UInt8] {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { storage in
            let isKnown = unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length) == 0
            }
            let bytes = unsafe UnsafeRawBufferPointer(start: storage, count: Int(length))
            return isKnown ? unsafe Array(bytes) : []
        }
    }

    private static func path(in name: ArraySlice<UInt8>) -> String? {
        guard let first = name.first else { return nil }
        guard first == 0 else { return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self) }
        return name.count > 1 ? "@" + String(decoding: name.dropFirst(), as: UTF8.self) : nil
    }
}
