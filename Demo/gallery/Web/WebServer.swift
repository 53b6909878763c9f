/// A server of HTTP/1.1 on a libevent base, by libevent's own evhttp with all its bounds drawn.
///
/// Evhttp reads requests and writes replies, and leaves the rest to its user: here every request's
/// head is checked before the program sees it, every time has its end, and whatever a client makes
/// the server keep is bounded (``WebLimits``). What isn't plain is refused and its connection closed.
///
/// ```swift
/// let server = try WebServer(on: base, limits: WebLimits(), hosts: ["gallery.example"]) { exchange in
///     exchange.reply(200, [("Content-Type", "text/plain")], Array("hello".utf8))
/// }
/// let address = try server.listen(on: .tcp(host: "127.0.0.1", port: 8080))
/// ```
///
/// It belongs to the thread that dispatches the base, and lives until it's closed. Every callback may
/// call everything here, ``close()`` too. Without connections it has no timer; with some, one for all.
/// No more than 64 connections are accepted in a turn, so that somebody who connects without end
/// doesn't keep the loop. The process must ignore SIGPIPE: libevent writes to clients that have left.
@safe public final class WebServer {
    /// Every bound.
    public let limits: WebLimits
    /// The counts of connections and requests.
    public internal(set) var statistics = WebStatistics()
    /// Called with what a log should know, at most once a second of each kind.
    public var onTrouble: ((WebTrouble) -> Void)?
    /// Called with each reply handed over: method and path as they were asked for ("-" if they can't be
    /// told), status, the time since the request was complete, and the client's address.
    public var onRequest:
        (
            (_ method: String, _ path: String, _ status: Int, _ took: Duration, _ address: String)
                -> Void
        )?

    let hosts: HostRule
    let handler: (WebExchange) -> Void
    let clock: WebClock
    var connections: [UInt: WebConnection] = [:]
    /// Those that were let in and aren't to be closed, by what each client's have in common.
    var clients: [UInt64?: [UInt: WebConnection]] = [:]
    /// The number of these.
    var welcomed = 0
    /// Accepted in this turn.
    var newcomers: [WebConnection] = []
    /// To be closed as soon as evhttp isn't busy with them.
    var doomed: [WebConnection] = []
    var troubles: [WebTrouble.Kind: (told: Duration, count: Int)] = [:]
    /// When deadlines are looked at next, and were last.
    var sweepTime: Duration?
    var lastSweep: Duration = .zero
    private(set) var isDraining = false
    private(set) var isClosed = false

    private var engine: EvHTTP?
    /// Whether it was closed, and nothing of it is left.
    var hasEnded: Bool { engine == nil }
    private var listeners: [ListenerHandle] = []
    private var files: [SocketFile] = []
    private(set) var sweeper: LoopEvent?
    private(set) var pause: LoopEvent?
    private var soon: LoopEvent?
    private var isPaused = false
    /// The number of evhttp's callbacks that are running.
    private var depth = 0
    /// C has references that nobody counts, so it lives until it is closed.
    private var itself: WebServer?

    /// A server on a base that the host dispatches; it outlives the server.
    ///
    /// - Parameters:
    ///   - base: libevent's `event_base *`.
    ///   - limits: Every bound.
    ///   - hosts: The names by which it's known, beside the addresses at which it's reached and, for
    ///     loopback and unix sockets, `localhost`.
    ///   - handler: Answers requests, at once or later.
    /// - Throws: What libevent says if there's no memory.
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
    /// A unix socket that was left by one that died is replaced, and one at which somebody answers
    /// isn't. A descriptor that was passed is the server's from here on.
    ///
    /// - Returns: Where it listens, with the port that was chosen.
    /// - Throws: Why it can't.
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

    /// Accepts no more connections, closes those between two requests, and the others after their next
    /// reply.
    public func stopListening() {
        guard !isDraining else { return }
        isDraining = true
        for listener in listeners { engine?.close(listener) }
        listeners = []
        pause?.cancel()
        for file in files { file.remove() }
        files = []
        for connection in Array(connections.values) where connection.isIdle { doom(connection) }
    }

    /// Closes everything, soon if it's called from inside a callback.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        stopListening()
        for connection in Array(connections.values) { doom(connection) }
        if depth == 0 { settle() } else { settleSoon() }
    }

    // MARK: - Turns

    /// Runs what evhttp calls, which mustn't free what evhttp is busy with.
    func inside(_ body: () -> Void) {
        depth += 1
        body()
        depth -= 1
    }

    /// Schedules a call of ``settle()`` when evhttp is through.
    func settleSoon() {
        soon?.comeSoon()
    }

    /// Does what can't be done from inside evhttp: looks at newcomers, closes what is to be closed.
    func settle() {
        // Whoever is told of it may close the server.
        inside {
            for connection in newcomers { welcome(connection) }
            boundConnections()
            newcomers = []
            if !isPaused { accept(true) }
            bury()
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

    /// Rests where accepting fails: the socket stays ready, and the base would call again at once, for
    /// ever.
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
