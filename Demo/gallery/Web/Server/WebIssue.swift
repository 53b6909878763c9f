/// A problem that should be logged; reported at most once a second for each kind.
public struct WebIssue: Equatable, Sendable {
    /// The kind of problem.
    public enum Kind: Hashable, Sendable {
        /// Connections can't be accepted, usually for lack of descriptors; accepting is retried
        /// soon.
        case accept(errno: Int32)
        /// A connection or a request was refused.
        case refused(WebRefusal)
        /// A time limit was exceeded.
        case timedOut(WebDeadline)
        /// A client was closed because it doesn't read.
        case unsent
        /// The client with most unread bytes was closed, because the total exceeded its limit.
        case unsentInAll
        /// The program's reply exceeded the limit of unsent bytes; the client received 500.
        case replyTooLarge
    }

    /// The kind of problem.
    public let kind: Kind
    /// The number of times since the last report.
    public let count: Int
    /// The requested host, if that is the problem: the last one, as it was sent.
    public let host: String?

    init(kind: Kind, count: Int, host: String? = nil) {
        self.kind = kind
        self.count = count
        self.host = host
    }
}

/// A limit of reports: one a second for each kind, with the number of those that were left out.
struct WebIssueLimiter {
    private var kinds: [WebIssue.Kind: (reported: Duration, count: Int)] = [:]

    /// Counts an issue, and returns its report, unless one of its kind was made less than a second
    /// ago.
    mutating func report(_ kind: WebIssue.Kind, host: String?, at now: Duration) -> WebIssue? {
        let (reported, left) = kinds[kind] ?? (now - .seconds(1), 0)
        guard now - reported >= .seconds(1) else {
            kinds[kind] = (reported, left + 1)
            return nil
        }
        kinds[kind] = (now, 0)
        return WebIssue(kind: kind, count: left + 1, host: host)
    }
}
