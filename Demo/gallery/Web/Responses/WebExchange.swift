internal import Glibc

/// A request and the reply to it, which may be sent in a later turn.
///
/// ```swift
/// thumbnails.load(key) { bytes in
///     exchange.reply(200, [("Content-Type", "image/jpeg")], bytes)  // nothing, if the client has left
/// }
/// ```
///
/// The departure of a client is noticed when the reply is sent, or on a query (``hasLeft``):
/// libevent doesn't read while a request waits for its answer. An exchange that isn't answered in
/// time is answered with 503.
public final class WebExchange {
    /// The method.
    public let method: WebMethod
    /// The path, decoded once: it begins with a slash, and no component is empty, `.` or `..`.
    public let path: String
    /// The query, decoded: the first value of each name.
    public let query: [String: String]
    /// The client's address in digits, or `unix`.
    public let address: String
    /// The part of the address that identifies a client: an IPv6 network of 64 bits, or an IPv4
    /// address; nil for a unix socket.
    public let network: UInt64?
    /// The callback for the end, called once: when the reply has been sent or the connection has
    /// ended, whichever comes first.
    public var onEnd: (() -> Void)?

    let request: RequestHandle
    /// Whether the connection is closed after the reply.
    var isLast: Bool
    private let raw: RawRequest
    /// The connection, until it or the exchange has ended.
    private var connection: WebConnection?
    private var isAnswered = false
    private var nextPart: ((_ give: @escaping ([UInt8]?) -> Void) -> Void)?

    /// Creates the exchange of a request; its head is nil if it is refused, and the program never
    /// receives it.
    init(
        _ raw: RawRequest, _ head: RequestHead?, _ request: RequestHandle,
        of connection: WebConnection
    ) {
        method = raw.method ?? .get
        path = head?.target.path ?? "-"
        query = head?.target.query ?? [:]
        self.raw = raw
        isLast = head?.canKeepAlive != true
        address = connection.endpoints?.client ?? "-"
        network = connection.endpoints?.clientKey
        self.request = request
        self.connection = connection
    }

    /// Returns the first value of a header, whose name is case-insensitive.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return raw.fields.first { $0.isNamed(name) }?.text
    }

    /// Whether it is neither answered nor ended.
    public var isOpen: Bool { !isAnswered && connection?.ifOpen != nil }

    /// Whether the client has closed the connection, or its half of it, according to the system.
    public var hasLeft: Bool {
        guard let connection = connection?.ifOpen else { return true }
        var socket = pollfd(fd: connection.buffer.descriptor, events: Self.hangUp, revents: 0)
        return unsafe poll(&socket, 1, 0) > 0
    }

    /// `POLLRDHUP`, which Glibc's module lacks; a full hang-up is reported in any case.
    private static let hangUp: Int16 = 0x2000

    /// Sends the reply; does nothing if the exchange isn't open any more.
    ///
    /// Headers with a line break or another control byte are dropped, as are those that only the
    /// server sets. A body that exceeds the limit of unsent bytes is an error of the program, and
    /// is answered with 500: `reply(_:_:parts:)` is for such bodies.
    public func reply(_ status: Int, _ headers: [(String, String)] = [], _ body: [UInt8] = []) {
        guard let (connection, server) = beginAnswer() else { return }
        connection.enter(.replying(self))
        guard body.count <= server.limits.unsentBytes else {
            server.reply(self, on: connection, 500, [], [])
            server.report(.replyTooLarge)
            return
        }
        server.reply(self, on: connection, status, headers, body)
    }

    /// Sends a reply of any length in parts.
    ///
    /// The next part is requested when the client has received the one before, and may be given
    /// later; nil ends the reply. With a length, clients know how much is missing. If only the head
    /// is requested, no part is.
    public func reply(
        _ status: Int, _ headers: [(String, String)] = [], length: Int? = nil,
        parts: @escaping (_ give: @escaping ([UInt8]?) -> Void) -> Void
    ) {
        guard let (connection, server) = beginAnswer() else { return }
        if method != .head { nextPart = parts }
        connection.enter(.replying(self))
        server.reply(self, on: connection, status, headers, nil, length: length)
        sendNextPart()
    }

    /// Begins server-sent events; returns nil if the exchange isn't open any more, or if only the
    /// head is requested, which is sent.
    public func stream() -> EventStream? {
        let headers = [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]
        guard method != .head else {
            reply(200, headers, parts: { _ in })
            return nil
        }
        guard let (connection, server) = beginAnswer() else { return nil }
        let stream = EventStream(of: self, on: connection)
        connection.enter(.streaming(stream))
        server.reply(self, on: connection, 200, headers, nil)
        if let time = stream.beatTime { server.expect(time) }
        return stream
    }

    /// Marks the exchange as answered; returns nil if it isn't open any more.
    private func beginAnswer() -> (WebConnection, WebServer)? {
        guard !isAnswered, let connection = connection?.ifOpen, let server = connection.server
        else { return nil }
        isAnswered = true
        return (connection, server)
    }

    // MARK: - Server

    func sendNextPart() {
        nextPart? { [weak self] in self?.send(part: $0) }
    }

    private func send(part: [UInt8]?) {
        guard let connection = connection?.ifOpen, let server = connection.server else { return }
        guard let part, part.count <= server.limits.unsentBytes else {
            nextPart = nil
            if part == nil { request.end() } else { server.scheduleClose(connection) }
            return
        }
        guard !part.isEmpty else { return sendNextPart() }
        request.send(part, notifySent: connection)
        server.boundUnsent()
    }

    /// Closes the connection, so that the client knows that its reply is incomplete.
    public func abandon() {
        if let connection = connection?.ifOpen { connection.server?.scheduleClose(connection) }
    }

    /// Handles the end of the reply or of the connection.
    func finish() {
        isAnswered = true
        connection = nil
        nextPart = nil
        if request.isAbandoned { request.free() }
        let notify = onEnd
        onEnd = nil
        notify?()
    }
}
