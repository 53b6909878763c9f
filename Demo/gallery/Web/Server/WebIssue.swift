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
public struct IssueLimiter<Kind: Hashable & Sendable>: Sendable {
    private var kinds: [Kind: (reported: Duration, count: Int)] = [:]

    /// Creates a limit under which nothing has been reported.
    public init() {}

    /// Counts an issue, and returns the number since the last report, unless one of its kind was
    /// reported less than a second ago.
    public mutating func report(_ kind: Kind, at now: Duration) -> Int? {
        let last = kinds[kind]
        if let last, now - last.reported < .seconds(1) {
            kinds[kind]?.count += 1
            return nil
        }
        kinds[kind] = (now, 0)
        return (last?.count ?? 0) + 1
    }
}
