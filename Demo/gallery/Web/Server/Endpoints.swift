/// The two ends of a connection.
struct Endpoints {
    /// The client's address as text; `unix` for a unix socket.
    let client: String
    /// The part of the address that one client's connections share; nil for a unix socket.
    let clientKey: UInt64?
    /// The host names that are valid for the local end in any case.
    let names: Set<String>

    private static let loopback: Set<String> = ["localhost", "127.0.0.1", "::1"]

    init(local: SocketName, peer: SocketName) {
        client = peer.host ?? "unix"
        clientKey = peer.key
        var names = local.isLoopback || local.host == nil ? Self.loopback : []
        if let host = local.host { names.insert(host) }
        self.names = names
    }
}
