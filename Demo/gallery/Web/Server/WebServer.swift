/// An HTTP/1.1 server on a libevent base, which uses libevent's evhttp and limits everything that
/// evhttp doesn't.
///
/// Evhttp reads requests and writes replies, and leaves the rest to its user: here every request's
/// head is validated before the program sees it, every wait has a time limit, and all memory that a
/// client can cause to be used is limited (``WebLimits``). An ambiguous request is rejected and its
/// connection closed.
///
/// ```swift
/// let server = try WebServer(on: base, limits: WebLimits(), hosts: ["gallery.example"]) { exchange in
///     exchange.reply(200, [("Content-Type", "text/plain")], Array("hello".utf8))
/// }
/// let address = try server.listen(on: .tcp(host: "127.0.0.1", port: 8080))
/// ```
///
/// It belongs to the thread that dispatches the base, and lives until it is closed. Every callback
/// may call all methods, including ``close()``. Without connections it has no timer; with some, one
/// for all. At most 64 connections are accepted in a turn, so that a client that connects without
/// end doesn't block the loop. The process must ignore SIGPIPE: libevent writes to clients that
/// have left.
@safe public final class WebServer {
    /// The limits.
    public let limits: WebLimits
    /// The counts of connections and requests.
    public internal(set) var statistics = WebStatistics()
    /// The callback for problems that should be logged, called at most once a second for each kind.
    public var onTrouble: ((WebTrouble) -> Void)?
    /// The callback for each reply, with method and path as they were requested ("-" if unknown),
    /// status, the time since the request was complete, and the client's address.
    public var onRequest:
        (
            (_ method: String, _ path: String, _ status: Int, _ took: Duration, _ address: String)
                -> Void
        )?

    let hosts: HostRule
    let handler: (WebExchange) -> Void
    let clock: WebClock
    var connections: [UInt: WebConnection] = [:]
    /// The accepted connections that aren't scheduled for closing, by the address part that
    /// identifies a client.
    var clients: [UInt64?: [UInt: WebConnection]] = [:]
    /// The number of connections in `clients`.
    var welcomed = 0
    /// The connections that were accepted in this turn.
    var acceptedConnections: [WebConnection] = []
    /// The connections to be closed as soon as evhttp isn't using them.
    var pendingClose: [WebConnection] = []
    var troubles: [WebTrouble.Kind: (told: Duration, count: Int)] = [:]
    /// The times of the next and the last check of deadlines.
    var sweepTime: Duration?
    var lastSweep: Duration = .zero
    private(set) var isDraining = false
    private(set) var isClosed = false

    private var engine: EvHTTP?
    /// Whether it was closed and everything is freed.
    var hasEnded: Bool { engine == nil }
    private var listeners: [ListenerHandle] = []
    private var files: [SocketFile] = []
    private(set) var sweeper: LoopEvent?
    private(set) var pause: LoopEvent?
    private var soon: LoopEvent?
    private var isPaused = false
    /// The number of evhttp callbacks on the stack.
    private var depth = 0
    /// A reference to itself, as C code has uncounted references until it is closed.
    private var itself: WebServer?

    /// Creates a server on a base that the host dispatches, and that outlives the server.
    ///
    /// - Parameters:
    ///   - base: libevent's `event_base *`.
    ///   - limits: The limits.
    ///   - hosts: The host names by which it may be addressed, in addition to the addresses at
    ///     which it is reached and, for loopback and unix sockets, `localhost`.
    ///   - handler: Answers requests, at once or later.
    /// - Throws: Libevent's error if there is no memory.
    public convenience init(
        on base: OpaquePointer, limits: WebLimits = WebLimits(), hosts: [String] = [],
        handler: @escaping (WebExchange) -> Void
    ) throws(WebError) {
        try unsafe self.init(
            on: base, limits: limits, hosts: hosts, clock: WebClock(), handler: handler)
    }

    init(
        on base: OpaquePointer, limits: WebLimits, hosts: [String] = [], clock: WebClock,
        handler: @escaping (WebExchange) -> Void
    ) throws(WebError) {
        self.limits = limits
        self.hosts = HostRule(hosts)
        self.clock = clock
        self.handler = handler
        engine = try unsafe EvHTTP(on: base, for: self)
        sweeper = try unsafe LoopEvent(on: base) { [unowned self] in inside { sweep() } }
        pause = try unsafe LoopEvent(on: base) { [unowned self] in acceptAgain() }
        soon = try unsafe LoopEvent(on: base) { [unowned self] in settle() }
        itself = self
    }

    /// Begins to accept connections.
    ///
    /// A stale unix socket of a process that has died is replaced, but not one on which another
    /// process listens. The server takes ownership of an inherited descriptor.
    ///
    /// - Returns: The address, with the port chosen by the system.
    /// - Throws: The reason why it can't listen.
    @discardableResult
    public func listen(on address: WebAddress) throws(WebError) -> WebAddress {
        guard !isDraining, engine != nil else { throw .closed }
        let socket = try ListeningSocket(address)
        do throws(WebError) {
            guard let listener = try engine?.listen(on: socket.descriptor) else { throw .closed }
            listeners.append(listener)
        } catch {
            socket.close()
            throw error
        }
        if let file = socket.file { files.append(file) }
        return socket.address
    }

    /// Stops accepting connections, closes the idle ones, and closes the others after their next
    /// reply.
    public func stopListening() {
        guard !isDraining else { return }
        isDraining = true
        for listener in listeners { engine?.close(listener) }
        listeners = []
        pause?.cancel()
        for file in files { file.remove() }
        files = []
        for connection in Array(connections.values) where connection.isIdle {
            scheduleClose(connection)
        }
    }

    /// Closes everything; when called inside a callback, after it has returned.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        stopListening()
        for connection in Array(connections.values) { scheduleClose(connection) }
        if depth == 0 { settle() } else { settleSoon() }
    }

    // MARK: - Turns

    /// Runs a callback of evhttp, during which nothing that evhttp uses may be freed.
    func inside(_ body: () -> Void) {
        depth += 1
        body()
        depth -= 1
    }

    /// Schedules a call of ``settle()`` for after evhttp's callbacks.
    func settleSoon() {
        soon?.comeSoon()
    }

    /// Does what can't be done inside evhttp's callbacks: examines new connections, and closes
    /// those scheduled for it.
    func settle() {
        // A callback may close the server.
        inside {
            for connection in acceptedConnections { welcome(connection) }
            boundConnections()
            acceptedConnections = []
            if !isPaused { accept(true) }
            closePending()
        }
        guard isClosed, engine != nil else { return }
        engine = nil
        (sweeper, pause, soon) = (nil, nil, nil)
        itself = nil
    }

    // MARK: - Accepting

    func accept(_ isWanted: Bool) {
        for listener in listeners { listener.accept(isWanted) }
    }

    /// Pauses accepting after an error: the socket stays ready, and the base would call again at
    /// once, for ever.
    func couldNotAccept(_ code: Int32) {
        statistics.acceptFailures += 1
        isPaused = true
        accept(false)
        pause?.come(after: limits.acceptPause)
        trouble(.accept(errno: code))
    }

    private func acceptAgain() {
        isPaused = false
        accept(true)
    }
}
