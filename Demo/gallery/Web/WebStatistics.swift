/// What has become of connections and requests so far.
public struct WebStatistics: Equatable, Sendable {
    /// How many connections there are.
    public internal(set) var connections = 0
    /// How many were accepted.
    public internal(set) var accepted = 0
    /// How many connections were looked at to make room for others.
    public internal(set) var crowdLooks = 0
    /// What was refused, by reason.
    public internal(set) var refused: [WebRefusal: Int] = [:]
    /// What took too long.
    public internal(set) var timedOut: [WebDeadline: Int] = [:]
    /// How many clients were let go of because they didn't read.
    public internal(set) var unreadClosed = 0
    /// How often nothing could be accepted.
    public internal(set) var acceptFailures = 0
    /// How many replies there were, by the hundreds of their status: 2 is 200 to 299.
    public internal(set) var replies: [Int: Int] = [:]
    /// The bytes that clients haven't taken yet.
    public internal(set) var unsentBytes = 0
}
