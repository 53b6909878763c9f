/// The counts of connections and requests.
public struct WebStatistics: Equatable, Sendable {
    /// The number of open connections.
    public internal(set) var connections = 0
    /// The number of accepted connections.
    public internal(set) var accepted = 0
    /// The number of connections that were compared to choose one to close.
    public internal(set) var comparedConnections = 0
    /// The numbers of refusals, by reason.
    public internal(set) var refused: [WebRefusal: Int] = [:]
    /// The numbers of connections that exceeded a time limit, by its kind.
    public internal(set) var timedOut: [WebDeadline: Int] = [:]
    /// The number of clients that were closed because they didn't read.
    public internal(set) var unreadClosed = 0
    /// The number of failures to accept connections.
    public internal(set) var acceptFailures = 0
    /// The numbers of replies, by the hundreds of their status: 2 is 200 to 299.
    public internal(set) var replies: [Int: Int] = [:]
    /// The number of bytes that clients haven't received yet.
    public internal(set) var unsentBytes = 0
}
