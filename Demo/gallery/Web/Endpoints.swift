/// The two ends of a connection.
struct Endpoints {
    /// The client's address for people; `unix` for a unix socket.
    let client: String
    /// The part that connections of one client have in common; nil for a unix socket.
    let clientKey: UInt64?
    /// The names that are good for this end whatever the server is called.
    let names: Set<String>

    private static let loopback: Set<String> = ["localhost", "127.0.0.1", "::1"]

    /// The ends of a connection.
    init(local: SocketName, client: SocketName) {
        self.client = client.host ?? "unix"
        clientKey = client.key
        var names = local.isLoopback || local.host == nil ? Self.loopback : []
        if let host = local.host { names.insert(host) }
        self.names = names
    }
}
