/// The limits of a web server.
///
/// ```swift
/// var limits = WebLimits()
/// limits.connectionsPerAddress = 64
/// ```
public struct WebLimits: Sendable {
    /// The maximum number of connections; a further one replaces the idlest of the address that has
    /// most.
    public var connections = 4096
    /// The maximum number of connections from one address, or from one IPv6 network of 64 bits; a
    /// further one replaces its idlest.
    ///
    /// A unix socket has no addresses: only the limit for all applies there.
    public var connectionsPerAddress = 512
    /// The maximum size of a request's first line and headers, in bytes.
    public var headerBytes = 8192
    /// The maximum number of lines in a request's head.
    ///
    /// A header of one byte costs a hundred in memory, so a limit of bytes is not enough.
    public var lines = 256
    /// The maximum size of a request's body, in bytes.
    public var bodyBytes = 4096
    /// The time for a whole request, from the accept or from the end of the last reply.
    ///
    /// Receiving parts of it doesn't extend the time. It is also how long a connection is kept for
    /// the next request.
    public var requestTime: Duration = .seconds(10)
    /// The time for the program to answer, after which the client receives 503.
    public var answerTime: Duration = .seconds(30)
    /// The time for the client to receive a whole reply, or a part of one that is sent in parts, or
    /// any of the bytes that wait in a stream.
    public var replyTime: Duration = .seconds(60)
    /// The maximum number of bytes that are kept for a client that doesn't read.
    public var unsentBytes = 256 << 10
    /// The maximum number of bytes that are kept for all clients together; the one with most is
    /// closed first.
    public var unsentBytesInAll = 64 << 20
    /// The pause of a listener that can't accept, usually for lack of descriptors.
    public var acceptPause: Duration = .milliseconds(200)
    /// The time after which a silent stream gets an event `beat`, so that it isn't considered dead.
    public var beatTime: Duration = .seconds(10)

    /// Creates the default limits.
    public init() {}

    /// The shortest of the time limits.
    var shortestTime: Duration { min(requestTime, answerTime, replyTime, beatTime) }

    /// The maximum number of input bytes that are buffered before they are processed.
    var inputBytes: Int { headerBytes + bodyBytes }
}
