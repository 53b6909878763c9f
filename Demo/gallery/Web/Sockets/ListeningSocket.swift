internal import GalleryFiles
internal import Glibc

/// A listening socket, which is closed unless it is passed on to another owner.
struct ListeningSocket: ~Copyable {
    private let socket: FileDescriptor
    var descriptor: Int32 { socket.number }
    /// The address, with the port chosen by the system.
    let address: WebAddress
    /// The file of a unix socket that this process created.
    let file: SocketFile?

    /// The number of connections that may wait to be accepted, which the kernel may reduce.
    ///
    /// If there is no room, the client repeats the handshake only after a second.
    private static let backlog: Int32 = 4096

    /// Opens a socket, or takes over an inherited one.
    init(_ address: WebAddress) throws(WebError) {
        switch address {
        case .tcp(let host, let port): try self.init(host, port)
        case .unix(let path): try self.init(path: path)
        case .descriptor(let descriptor): try self.init(passed: descriptor)
        }
    }

    private init(_ host: String, _ port: Int) throws(WebError) {
        guard let name = SocketName(host: host, port: port) else {
            throw .notAnAddress("\(host):\(port)")
        }
        let socket = try Self.open(name.family)
        // The port can be reused while old connections are closing, and each address family has its
        // own.
        try Self.set(socket.number, SOL_SOCKET, SO_REUSEADDR)
        if name.family == AF_INET6 {
            try Self.set(socket.number, Int32(IPPROTO_IPV6), IPV6_V6ONLY)
        }
        try Self.sendAtOnce(socket.number)
        try Self.listen(socket.number, as: name)
        let bound = SocketName.local(of: socket.number)
        address = .tcp(host: bound?.host ?? host, port: bound?.port ?? port)
        self.socket = socket
        file = nil
    }

    private init(path: String) throws(WebError) {
        guard let name = SocketName(path: path) else {
            throw .unusablePath(bytes: path.utf8.count, limit: SocketName.pathLimit)
        }
        try SocketFile.removeStale(at: path, name)
        let socket = try Self.open(AF_UNIX)
        // The file gets the socket's mode, reduced by the process's umask: at no time are more users
        // permitted than in the end.
        fchmod(socket.number, SocketFile.mode)
        try Self.listen(socket.number, as: name)
        guard unsafe chmod(path, SocketFile.mode) == 0, let file = SocketFile(path) else {
            throw .system(call: "chmod", errno: errno)
        }
        self.file = file
        self.socket = socket
        address = .unix(path: path)
    }

    private init(passed descriptor: Int32) throws(WebError) {
        guard Self.option(descriptor, SO_ACCEPTCONN) == 1,
            Self.option(descriptor, SO_TYPE) == Int32(SOCK_STREAM.rawValue),
            let name = SocketName.local(of: descriptor)
        else { throw .notListening(descriptor: descriptor) }
        let flags = fcntl(descriptor, F_GETFL)
        guard fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { throw .system(call: "fcntl", errno: errno) }
        switch name.family {
        case AF_INET, AF_INET6:
            try Self.sendAtOnce(descriptor)
            address = .tcp(host: name.host ?? "", port: name.port)
        case AF_UNIX: address = .unix(path: name.path)
        default: throw .notListening(descriptor: descriptor)
        }
        socket = FileDescriptor(owning: descriptor)
        file = nil
    }

    /// Transfers the descriptor to the caller, who closes it.
    consuming func take() -> Int32 { socket.take() }

    // MARK: - System calls

    static func open(_ family: Int32) throws(WebError) -> FileDescriptor {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(family, kind, 0)
        guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
        return FileDescriptor(owning: descriptor)
    }

    private static func listen(_ descriptor: Int32, as name: SocketName) throws(WebError) {
        guard unsafe name.withPointer({ unsafe bind(descriptor, $0, $1) }) == 0 else {
            throw .system(call: "bind", errno: errno)
        }
        guard Glibc.listen(descriptor, backlog) == 0 else {
            throw .system(call: "listen", errno: errno)
        }
    }

    /// Disables Nagle's algorithm for all connections accepted here, which inherit the setting.
    ///
    /// With it, the end of a reply that isn't sent in one write waits for the client's
    /// acknowledgement of the bytes before it, which clients delay by 40 ms.
    private static func sendAtOnce(_ descriptor: Int32) throws(WebError) {
        try set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
    }

    private static func set(
        _ descriptor: Int32, _ level: Int32, _ option: Int32
    ) throws(WebError) {
        var on: Int32 = 1
        guard unsafe setsockopt(descriptor, level, option, &on, socklen_t(4)) == 0 else {
            throw .system(call: "setsockopt", errno: errno)
        }
    }

    private static func option(_ descriptor: Int32, _ option: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(4)
        let status = unsafe getsockopt(descriptor, SOL_SOCKET, option, &value, &size)
        return status == 0 ? value : nil
    }
}
