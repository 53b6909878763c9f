/// The two ends of a connection, and the client whose requests it carries.
struct Endpoints {
    /// The other end of the socket: the client, or a proxy.
    let peer: SocketName
    /// The client's address as text; `unix` for a unix socket.
    private(set) var client: String
    /// The part of the address that one client's connections share; nil for a unix socket, and for
    /// a proxy before its first request.
    private(set) var clientKey: UInt64?
    /// The host names that are valid for the local end in any case.
    let names: Set<String>

    private static let loopback: Set<String> = ["localhost", "127.0.0.1", "::1"]

    /// Creates the ends of a connection, of a proxy if its other end is one.
    init(local: SocketName, peer: SocketName, isProxy: Bool = false) {
        self.peer = peer
        client = peer.host ?? "unix"
        clientKey = isProxy ? nil : peer.key
        var names = local.isLoopback || local.host == nil ? Self.loopback : []
        if let host = local.host { names.insert(host) }
        self.names = names
    }

    /// Returns the ends of a connection that carries a client's requests.
    func carrying(_ name: SocketName) -> Endpoints {
        var ends = self
        ends.client = name.host ?? "unix"
        ends.clientKey = name.key
        return ends
    }
}
