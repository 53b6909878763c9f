/// A reply that has begun, for metrics and logs.
public struct WebReply {
    /// The request; nil for one that libevent couldn't read.
    public let exchange: WebExchange?
    /// The client's address in digits, or `unix`.
    public let address: String
    /// The status.
    public let status: Int
    /// The length of the body; nil for a reply in parts.
    public let byteCount: Int?
    /// The time since the request was complete.
    public let took: Duration
}
