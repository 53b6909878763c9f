/// A stream of events to a client as they happen (server-sent events).
///
/// A client that doesn't read costs at most ``WebLimits/unsentBytes``: an event that would exceed
/// them closes the stream. After some time without events an event `beat` is sent: its absence tells
/// the client that the server hangs or is gone.
public final class EventStream {
    /// The callback for the end of the stream, called once, whoever closed it.
    public var onClose: (() -> Void)?

    private let exchange: WebExchange
    /// The connection, until it or the stream has ended.
    private var connection: WebConnection?
    private var lastSent: Duration

    init(of exchange: WebExchange, on connection: WebConnection) {
        self.exchange = exchange
        self.connection = connection
        lastSent = connection.server?.now ?? .zero
    }

    /// The number of bytes that the client hasn't received.
    public var unsentBytes: Int { connection?.ifOpen?.unsent ?? 0 }

    /// Whether events can be sent.
    public var isOpen: Bool { connection?.ifOpen != nil }

    /// Sends an event, whose data may have several lines.
    ///
    /// - Returns: Whether it was sent; false if the stream has ended, or is closed now, because the
    ///   client hasn't read earlier events.
    @discardableResult
    public func send(_ event: String, _ data: String) -> Bool {
        send(Self.frame(event, data))
    }

    /// Ends the stream; the client may send another request on the same connection.
    public func close() {
        guard let connection = connection?.ifOpen else { return }
        self.connection = nil
        connection.enter(.replying(exchange))
        exchange.request.end()
        notifyClosed()
    }

    /// Returns an event in the stream's format, with each line of its data on a line of its own.
    private static func frame(_ event: String, _ data: String) -> [UInt8] {
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        var frame = Array("event: ".utf8)
        frame.reserveCapacity(24 + event.utf8.count + data.utf8.count)
        frame += event.utf8.filter { $0 != lineFeed && $0 != carriageReturn }
        frame += "\ndata: ".utf8
        var last: UInt8 = 0
        for byte in data.utf8 {
            switch byte {
            // A carriage return and line feed are one line break.
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
        guard let connection = connection?.ifOpen, let server = connection.server
        else { return false }
        guard connection.unsent + bytes.count <= server.limits.unsentBytes else {
            server.closeUnread(connection, .unsent)
            return false
        }
        lastSent = server.now
        exchange.request.send(bytes)
        server.boundUnsent()
        return isOpen
    }

    // MARK: - Server

    /// The time at which a beat is due, unless another event is sent.
    var beatTime: Duration? {
        (connection?.ifOpen?.server?.limits.beatTime).map { lastSent + $0 }
    }

    func beatIfSilent(at now: Duration) {
        guard let time = beatTime, time <= now else { return }
        send("beat", "{}")
    }

    /// Handles the end of the connection.
    func finish() {
        connection = nil
        exchange.finish()
        notifyClosed()
    }

    private func notifyClosed() {
        let notify = onClose
        onClose = nil
        notify?()
    }
}
