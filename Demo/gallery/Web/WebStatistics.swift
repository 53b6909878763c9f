/// The counts of connections and requests.
public struct WebStatistics: Equatable, Sendable {
    /// The number of connections.
    public internal(set) var connections = 0
    /// The number that were accepted.
    public internal(set) var accepted = 0
    /// The number of connections that were looked at to make room for others.
    public internal(set) var crowdLooks = 0
    /// The numbers of refusals, by reason.
    public internal(set) var refused: [WebRefusal: Int] = [:]
    /// The number of those that took too long.
    public internal(set) var timedOut: [WebDeadline: Int] = [:]
    /// The number of clients that were dropped because they didn't read.
    public internal(set) var unreadClosed = 0
    /// The number of times that nothing could be accepted.
    public internal(set) var acceptFailures = 0
    /// The numbers of replies, by the hundreds of their status: 2 is 200 to 299.
    public internal(set) var replies: [Int: Int] = [:]
    /// The bytes that clients haven't taken yet.
    public internal(set) var unsentBytes = 0
}
