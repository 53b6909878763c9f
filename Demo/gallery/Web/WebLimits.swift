/// Every bound of a web server.
///
/// ```swift
/// var limits = WebLimits()
/// limits.connectionsPerAddress = 64
/// ```
public struct WebLimits: Sendable {
    /// The most connections: one more takes the place of the idlest, of the address
    /// that has most.
    public var connections = 4096
    /// The most of them from one address, or from one IPv6 network of 64 bits: one more takes the place
    /// of its idlest.
    ///
    /// A unix socket has no addresses: only the bound for all holds there.
    public var connectionsPerAddress = 512
    /// The bytes of a request's first line and headers.
    public var headerBytes = 8192
    /// The lines of a request's head.
    ///
    /// A header of one byte costs a hundred in memory, so that bytes alone bound little.
    public var lines = 256
    /// The bytes of a request's body.
    public var bodyBytes = 4096
    /// The time for a whole request, from the accept or from the end of the last reply.
    ///
    /// What comes of it meanwhile doesn't extend it. It's also how long a connection is kept for
    /// the next request.
    public var requestTime: Duration = .seconds(10)
    /// The time for the program to answer; after it the client is told 503.
    public var answerTime: Duration = .seconds(30)
    /// The time for the client to take a whole reply, or anything of what waits for it in a stream.
    public var replyTime: Duration = .seconds(60)
    /// The bytes that are kept for a client that doesn't read.
    public var unsentBytes = 256 << 10
    /// The bytes that are kept for all of those together; the one with most is closed first.
    public var unsentBytesInAll = 64 << 20
    /// The rest of a listener that can't accept, for want of descriptors mostly.
    public var acceptPause: Duration = .milliseconds(200)
    /// The time after which a silent stream gets a comment, so that nobody takes it for dead.
    public var commentTime: Duration = .seconds(15)

    /// The bounds by default.
    public init() {}

    /// The shortest of the times that somebody is given.
    var shortestTime: Duration { min(requestTime, answerTime, replyTime, commentTime) }

    /// The bytes of what a client sends that are taken in before it's worked on.
    var inputBytes: Int { headerBytes + bodyBytes }
}
