/// Events that are sent to a client as they happen (server-sent events).
///
/// A client that doesn't read costs at most ``WebLimits/unsentBytes``: what would go beyond closes
/// the stream. A stream that says nothing for a while is given a comment, which clients ignore.
public final class EventStream {
    /// Called once, when the stream is over, whoever closed it.
    public var onClose: (() -> Void)?

    private let exchange: WebExchange
    /// Until one of both is over.
    private var connection: WebConnection?
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
        send(Self.frame(event, data))
    }

    /// Ends the stream; the client may ask for something else on the same connection.
    public func close() {
        guard let connection = living else { return }
        self.connection = nil
        connection.enter(.replying(exchange))
        exchange.request.end()
        told()
    }

    /// An event as it's sent; each line of its data is one of the frame's.
    private static func frame(_ event: String, _ data: String) -> [UInt8] {
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        var frame = Array("event: ".utf8)
        frame.reserveCapacity(24 + event.utf8.count + data.utf8.count)
        frame += event.utf8.filter { $0 != lineFeed && $0 != carriageReturn }
        frame += "\ndata: ".utf8
        var last: UInt8 = 0
        for byte in data.utf8 {
            switch byte {
            // The two of them end one line.
            case lineFeed where last == carriageReturn: break
            case lineFeed, carriageReturn: frame += "\ndata: ".utf8
            default: frame.append(byte)
            }
            last = byte
        }
        frame += "\n\n".utf8
        return frame
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        guard let connection = living, let server = connection.server else { return false }
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
        _ = send(Array(":\n\n".utf8))
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
