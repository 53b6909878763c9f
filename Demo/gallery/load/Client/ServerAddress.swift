internal import GalleryFiles
internal import Glibc

/// The server's address, and the local addresses from which clients connect.
struct ServerAddress: Sendable {
    let host: String
    let port: UInt16

    /// The server's address as text.
    var name: String { "\(host):\(port)" }

    /// Parses an address such as 127.0.0.1:8080; nil for any that isn't this machine's.
    init?(_ text: String) {
        let parts = text.split(separator: ":")
        guard parts.count == 2, parts[0].hasPrefix("127."), let port = UInt16(parts[1]),
            Self.number(String(parts[0])) != nil
        else { return nil }
        host = String(parts[0])
        self.port = port
    }

    /// Begins to connect from the loopback address of this number, without blocking.
    ///
    /// - Returns: The socket; nil if none is available.
    func connect(from number: Int) -> FileDescriptor? {
        guard let target = Self.number(host) else { return nil }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = Glibc.socket(AF_INET, kind, 0)
        guard socket >= 0 else { return nil }
        let owner = FileDescriptor(owning: socket)
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_addr.s_addr = (UInt32(127) << 24 + UInt32(2 + number % 60_000)).bigEndian
        var other = own
        other.sin_addr.s_addr = target
        other.sin_port = port.bigEndian
        var one: Int32 = 1
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // The port is chosen by connect, so that all ports are available to each local address.
        unsafe setsockopt(socket, Int32(IPPROTO_IP), 24, &one, 4)  // IP_BIND_ADDRESS_NO_PORT
        unsafe setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        let isBegun = unsafe withUnsafePointer(to: &own) { own in
            unsafe withUnsafePointer(to: &other) { other in
                unsafe own.withMemoryRebound(to: sockaddr.self, capacity: 1) { own in
                    unsafe other.withMemoryRebound(to: sockaddr.self, capacity: 1) { other in
                        unsafe bind(socket, own, size) == 0
                            && (Glibc.connect(socket, other, size) == 0 || errno == EINPROGRESS)
                    }
                }
            }
        }
        guard isBegun else { return nil }
        return owner
    }

    private static func number(_ text: String) -> UInt32? {
        var address = in_addr()
        return unsafe inet_pton(AF_INET, text, &address) == 1 ? address.s_addr : nil
    }
}
