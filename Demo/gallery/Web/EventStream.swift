/// Events that are sent to a client as they happen (server-sent events).
///
/// A client that doesn't read costs at most ``WebLimits/unsentBytes``: what would go beyond closes
/// the stream. A stream that says nothing for a while is given a comment, which clients ignore.
public final class EventStream {
    /// Told once, when the stream is over, whoever closed it.
    public var onClose: (() -> Void)?

    private let exchange: WebExchange
    private weak var connection: WebConnection?
    private var lastSent: Duration

    init(of exchange: WebExchange, on connection: WebConnection) {
        self.exchange = exchange
        self.connection = connection
        lastSent = connection.server?.clock.now ?? .zero
    }

    /// The bytes that the client hasn't taken.
    public var unsentBytes: Int { living?.unsent ?? 0 }

    /// Whether events can be sent.
    public var isOpen: Bool { living != nil }

    private var living: WebConnection? {
        connection.flatMap { $0.isDoomed ? nil : $0 }
    }

    /// Sends an event, whose data may have several lines.
    ///
    /// - Returns: Whether it's sent; false if the stream is over, or is closed now, as the client
    ///   hasn't read what came before.
    @discardableResult
    public func send(_ event: String, _ data: String) -> Bool {
        var frame = "event: \(event.filter { !$0.isNewline })\n"
        for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            frame += "data: \(line)\n"
        }
        return send(frame + "\n")
    }

    /// Ends the stream; the client may ask for something else on the same connection.
    public func close() {
        guard let connection = living else { return }
        self.connection = nil
        connection.enter(.replying(exchange))
        exchange.request.end()
        told()
    }

    private func send(_ frame: String) -> Bool {
        guard let connection = living, let server = connection.server else { return false }
        let bytes = Array(frame.utf8)
        guard connection.unsent + bytes.count <= server.limits.unsentBytes else {
            server.statistics.unreadClosed += 1
            server.doom(connection)
            server.trouble(.unsent)
            return false
        }
        lastSent = server.clock.now
        exchange.request.send(bytes)
        server.boundUnsent()
        return isOpen
    }

    // MARK: - The server's side

    /// When a comment is due, if nothing else is said.
    var commentTime: Duration? { (living?.server?.limits.commentTime).map { lastSent + $0 } }

    func commentIfSilent(at now: Duration) {
        guard let time = commentTime, time <= now else { return }
        _ = send(":\n\n")
    }

    /// The connection is over.
    func finish() {
        connection = nil
        exchange.finish()
        told()
    }

    private func told() {
        let told = onClose
        onClose = nil
        told?()
    }
}
