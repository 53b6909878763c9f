/// Something a log should know; told at most once a second of each kind.
public struct WebTrouble: Equatable, Sendable {
    /// The kinds of trouble.
    public enum Kind: Hashable, Sendable {
        /// Connections can't be accepted, for want of descriptors mostly; tried again soon.
        case accept(errno: Int32)
        /// A connection or a request was refused.
        case refused(WebRefusal)
        /// A time has passed.
        case timedOut(WebDeadline)
        /// A client was let go of, as it doesn't read.
        case unsent
        /// The client with most unread bytes was let go of, as all together had too many.
        case unsentInAll
        /// The program's reply was larger than what may be kept for a client; it was told 500.
        case replyTooLarge
    }

    /// The kind of trouble.
    public let kind: Kind
    /// The number of times since it was told last.
    public let count: Int
    /// The host that was asked for, where that's the trouble: the last one, as it was sent.
    public let host: String?

    init(kind: Kind, count: Int, host: String? = nil) {
        self.kind = kind
        self.count = count
        self.host = host
    }
}
