internal import Glibc

/// One request and the reply to it, which may come in a later turn.
///
/// ```swift
/// thumbnails.load(key) { bytes in
///     exchange.reply(200, [("Content-Type", "image/jpeg")], bytes)  // nothing, if the client has left
/// }
/// ```
///
/// A client that leaves is noticed when the reply is sent, or when somebody asks (``hasLeft``):
/// libevent doesn't read while a request waits for its answer. An exchange that isn't answered in time
/// is, with 503.
public final class WebExchange {
    /// The method.
    public let method: WebMethod
    /// The path, decoded once: begins with a slash, and no part of it is empty, `.` or `..`.
    public let path: String
    /// The query, decoded: the first value of each name.
    public let query: [String: String]
    /// The client's address in digits, or `unix`.
    public let address: String
    /// What the addresses of one client have in common: an IPv6 network of 64 bits, or an IPv4
    /// address; nil for a unix socket.
    public let network: UInt64?
    /// Called once, when the reply was taken or the connection ended, whichever comes first.
    public var onEnd: (() -> Void)?

    let methodName: String
    let request: RequestHandle
    /// Whether the connection is closed after the reply.
    var isLast: Bool
    /// When it was complete.
    let came: Duration
    private let fields: [RequestField]
    /// Until one of both is over.
    private var connection: WebConnection?
    private var isAnswered = false
    private var nextPart: (() -> [UInt8]?)?

    init(_ head: RequestHead, _ request: RequestHandle, of connection: WebConnection) {
        method = head.method
        methodName = head.method.rawValue
        path = head.target.path
        query = head.target.query
        fields = head.fields
        isLast = !head.canKeepAlive
        address = connection.endpoints?.client ?? "-"
        network = connection.endpoints?.clientKey
        self.request = request
        self.connection = connection
        came = connection.server?.clock.now ?? .zero
    }

    /// One that the program never sees.
    init(refused raw: RawRequest, _ request: RequestHandle, of connection: WebConnection) {
        method = raw.method ?? .get
        methodName = raw.method?.rawValue ?? "-"
        path = "-"
        query = [:]
        fields = []
        isLast = true
        address = connection.endpoints?.client ?? "-"
        network = connection.endpoints?.clientKey
        self.request = request
        self.connection = connection
        came = connection.server?.clock.now ?? .zero
    }

    /// Returns the first value of a header, whose name may be in capitals or not.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.isNamed(name) }?.text
    }

    /// Whether it's neither answered nor over.
    public var isOpen: Bool { !isAnswered && living != nil }

    /// Whether the client has closed the connection, or its half of it; the system is asked.
    public var hasLeft: Bool {
        guard let living else { return true }
        var socket = pollfd(fd: living.buffer.descriptor, events: Self.hangUp, revents: 0)
        return unsafe poll(&socket, 1, 0) > 0
    }

    /// `POLLRDHUP`, which Glibc's module doesn't have; a whole end is told anyway.
    private static let hangUp: Int16 = 0x2000

    /// The connection, if it isn't over or about to be.
    private var living: WebConnection? {
        connection.flatMap { $0.isDoomed ? nil : $0 }
    }

    /// Answers; does nothing if it isn't open any more.
    ///
    /// Headers with a line break or another control byte in them are left out, as are those that are
    /// the server's to set. A body of more bytes than are kept for a client is a mistake of the
    /// program's, and answered by 500: `reply(_:_:parts:)` is for those.
    public func reply(_ status: Int, _ headers: [(String, String)] = [], _ body: [UInt8] = []) {
        guard !isAnswered, let connection = living, let server = connection.server else { return }
        isAnswered = true
        connection.enter(.replying(self))
        guard body.count <= server.limits.unsentBytes else {
            server.reply(self, on: connection, 500, [], [])
            server.trouble(.replyTooLarge)
            return
        }
        server.reply(self, on: connection, status, headers, body)
    }

    /// Answers with a body of any length, of which the next part is asked for when the client has
    /// taken all before; nil ends it.
    public func reply(
        _ status: Int, _ headers: [(String, String)] = [], parts: @escaping () -> [UInt8]?
    ) {
        guard method != .head else { return reply(status, headers) }
        guard !isAnswered, let connection = living, let server = connection.server else { return }
        isAnswered = true
        nextPart = parts
        connection.enter(.replying(self))
        server.reply(self, on: connection, status, headers, nil)
        sendNextPart()
    }

    /// Begins server-sent events; nil if it isn't open any more, or only the head is asked for, which
    /// is answered.
    public func stream() -> EventStream? {
        let headers = [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]
        guard method != .head else {
            reply(200, headers)
            return nil
        }
        guard !isAnswered, let connection = living, let server = connection.server else {
            return nil
        }
        isAnswered = true
        let stream = EventStream(of: self, on: connection)
        connection.enter(.streaming(stream))
        server.reply(self, on: connection, 200, headers, nil)
        if let time = stream.commentTime { server.expect(time) }
        return stream
    }

    // MARK: - The server's side

    func sendNextPart() {
        guard let connection = living, let server = connection.server else { return }
        var part = nextPart?()
        while let empty = part, empty.isEmpty { part = nextPart?() }
        guard let part, part.count <= server.limits.unsentBytes else {
            nextPart = nil
            if part == nil { request.end() } else { server.doom(connection) }
            return
        }
        request.send(part, tellTaken: connection)
        server.boundUnsent()
    }

    /// The reply was taken, or the connection is over.
    func finish() {
        isAnswered = true
        connection = nil
        nextPart = nil
        if request.isAbandoned { request.free() }
        let told = onEnd
        onEnd = nil
        told?()
    }
}
