/// The connections of a server, and their numbers for each client.
struct ConnectionTable {
    typealias Connections = Dictionary<UInt, WebConnection>.Values

    private var byID: [UInt: WebConnection] = [:]
    /// The admitted connections that aren't scheduled for closing, by the address part that
    /// identifies a client.
    private var byClient: [UInt64?: [UInt: WebConnection]] = [:]
    /// The number of those.
    private(set) var admittedCount = 0
    /// The connections that were accepted in this turn.
    private(set) var accepted: [WebConnection] = []
    /// The connections to be closed as soon as evhttp isn't using them.
    private var closing: [WebConnection] = []

    var count: Int { byID.count }
    var all: Connections { byID.values }
    subscript(id: UInt) -> WebConnection? { byID[id] }

    /// The number of admitted connections of each client.
    var clientCounts: [UInt64?: Int] { byClient.mapValues(\.count) }

    /// Adds a connection that was accepted in this turn.
    mutating func insert(_ connection: WebConnection) {
        byID[connection.buffer.id] = connection
        accepted.append(connection)
    }

    /// Ends the turn of the accepted connections.
    mutating func removeAccepted() {
        accepted = []
    }

    /// Counts a connection for its client.
    mutating func admit(_ connection: WebConnection, at endpoints: Endpoints) {
        connection.admit(at: endpoints)
        byClient[endpoints.clientKey, default: [:]][connection.buffer.id] = connection
        admittedCount += 1
    }

    /// Returns the number of admitted connections of a client.
    func count(of client: UInt64?) -> Int { byClient[client]?.count ?? 0 }

    /// Returns the admitted connections of a client.
    func connections(of client: UInt64?) -> Connections { byClient[client, default: [:]].values }

    /// The admitted connections of the client with most of them; O(clients).
    var ofLargestClient: Connections {
        (byClient.values.max { $0.count < $1.count } ?? [:]).values
    }

    /// Returns the connection with most unread bytes; O(connections).
    func withMostUnsent() -> WebConnection? {
        byID.values.max { $0.unsent < $1.unsent }
    }

    /// Schedules the closing of a connection, which counts for its client no more.
    mutating func scheduleClose(_ connection: WebConnection) {
        uncount(connection)
        closing.append(connection)
    }

    /// Removes and returns a connection that is scheduled for closing, and hasn't ended.
    mutating func nextToClose() -> WebConnection? {
        while let connection = closing.popLast() {
            if case .over = connection.phase { continue }
            return connection
        }
        return nil
    }

    /// Removes a connection that has ended.
    mutating func remove(_ connection: WebConnection) {
        uncount(connection)
        byID[connection.buffer.id] = nil
    }

    private mutating func uncount(_ connection: WebConnection) {
        guard let key = connection.endpoints.map(\.clientKey),
            byClient[key]?.removeValue(forKey: connection.buffer.id) != nil
        else { return }
        admittedCount -= 1
        if byClient[key]?.isEmpty == true { byClient.removeValue(forKey: key) }
    }
}
