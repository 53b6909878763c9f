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
    /// The path below which all others are.
    public var basePath = BasePath.root
    /// The counts of connections and requests.
    public private(set) var statistics = WebStatistics()
    /// The callback for problems that should be logged, called at most once a second for each kind.
    public var onIssue: ((WebIssue) -> Void)?

    private let hostRule: HostRule
    private let handler: (WebExchange) -> Void
    /// The clock for deadlines.
    private let time: () -> Duration
    private(set) var connections = ConnectionTable()
    private(set) var deadlines: DeadlineSweep
    private var issues = IssueLimiter<WebIssue.Kind>()
    private var isDraining = false
    private var isClosed = false

    private var engine: EvHTTP?
    /// Whether it was closed and everything is freed.
    var hasEnded: Bool { engine == nil }
    private var listeners: [ListenerHandle] = []
    private var files: [SocketFile] = []
    private var sweeper: LoopEvent?
    private var pause: LoopEvent?
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
    ///   - hosts: The host names by which it may be addressed, in addition to the addresses at which
    ///     it is reached and, for loopback and unix sockets, `localhost`.
    ///   - handler: Answers requests, at once or later.
    /// - Throws: Libevent's error if there is no memory.
    public convenience init(
        on base: OpaquePointer, limits: WebLimits = WebLimits(), hosts: [String] = [],
        handler: @escaping (WebExchange) -> Void
    ) throws(WebError) {
        let start = SuspendingClock.now
        try unsafe self.init(
            on: base, limits: limits, hosts: hosts, time: { start.duration(to: .now) },
            handler: handler)
    }

    init(
        on base: OpaquePointer, limits: WebLimits, hosts: [String] = [],
        time: @escaping () -> Duration,
        handler: @escaping (WebExchange) -> Void
    ) throws(WebError) {
        self.limits = limits
        hostRule = HostRule(hosts)
        self.time = time
        self.handler = handler
        deadlines = DeadlineSweep(for: limits)
        engine = try unsafe EvHTTP(on: base, for: self)
        sweeper = try unsafe LoopEvent(on: base) { [unowned self] in inside { sweep() } }
        pause = try unsafe LoopEvent(on: base) { [unowned self] in acceptAgain() }
        soon = try unsafe LoopEvent(on: base) { [unowned self] in process() }
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
        let (bound, file) = (socket.address, socket.file)
        do throws(WebError) {
            guard let listener = try engine?.listen(on: socket) else { throw .closed }
            listeners.append(listener)
        } catch {
            file?.remove()
            throw error
        }
        if let file { files.append(file) }
        return bound
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
        for connection in connections.all where connection.isIdle {
            scheduleClose(connection)
        }
    }

    /// Closes everything; when called inside a callback, after it has returned.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        stopListening()
        for connection in connections.all { scheduleClose(connection) }
        if depth == 0 { process() } else { processSoon() }
    }

    // MARK: - Turns

    /// Runs a callback of evhttp, during which nothing that evhttp uses may be freed.
    func inside(_ body: () -> Void) {
        depth += 1
        body()
        depth -= 1
    }

    /// Schedules a call of ``process()`` for after evhttp's callbacks.
    private func processSoon() {
        soon?.activate()
    }

    /// Does what can't be done inside evhttp's callbacks: examines new connections, and closes
    /// those scheduled for it.
    private func process() {
        // A callback may close the server.
        inside {
            for connection in connections.accepted { admit(connection) }
            boundConnections()
            connections.removeAccepted()
            if !isPaused { accept(true) }
            closePending()
        }
        guard isClosed, engine != nil else { return }
        engine = nil
        (sweeper, pause, soon) = (nil, nil, nil)
        itself = nil
    }

    // MARK: - Accepting

    private func accept(_ isWanted: Bool) {
        for listener in listeners { listener.accept(isWanted) }
    }

    /// Pauses accepting after an error: the socket stays ready, and the base would call again at
    /// once, for ever.
    func couldNotAccept(_ code: Int32) {
        statistics.acceptFailures += 1
        isPaused = true
        accept(false)
        pause?.schedule(after: limits.acceptPause)
        report(.accept(errno: code))
    }

    private func acceptAgain() {
        isPaused = false
        accept(true)
    }

    // MARK: - Connections

    private static let acceptedPerTurn = 64

    /// Creates the buffer for a new connection in evhttp.
    func accepted(on base: OpaquePointer?) -> OpaquePointer? {
        guard let buffer = unsafe BufferHandle(on: base) else { return nil }
        statistics.accepted += 1
        connections.insert(WebConnection(buffer, of: self))
        statistics.connections = connections.count
        // Evhttp accepts connections as long as there are any.
        if connections.accepted.count == Self.acceptedPerTurn { accept(false) }
        processSoon()
        return unsafe buffer.pointer
    }

    /// Examines a new connection.
    func admit(_ connection: WebConnection) {
        guard case .new = connection.phase else { return }
        guard let handle = connection.buffer.connection() else {
            // Evhttp has freed it already, for lack of memory.
            ended(connection)
            return
        }
        handle.notifyEnd(to: connection)
        let descriptor = connection.buffer.descriptor
        connection.enter(.waiting)
        guard let local = SocketName.local(of: descriptor),
            let peer = SocketName.peer(of: descriptor)
        else {
            scheduleClose(connection)
            return
        }
        connections.admit(connection, at: Endpoints(local: local, peer: peer))
        if isDraining { scheduleClose(connection) }
    }

    /// Enforces the limits on connections, for those that were accepted in this turn.
    ///
    /// New connections are always accepted. Of an address above its limit the idlest connection is
    /// closed, and of all together the idlest of the address that has most: silent connections cost
    /// their owner nothing, so that otherwise the first to come could block the server.
    ///
    /// For each new one O(addresses), and O(m) for the m connections of the address that has most.
    private func boundConnections() {
        guard let first = connections.accepted.first?.number else { return }
        for newcomer in connections.accepted where !newcomer.isClosing {
            boundConnections(of: newcomer.endpoints?.clientKey, newFrom: first)
        }
        while connections.admittedCount > limits.connections,
            let idlest = idlest(of: connections.ofLargestClient, newFrom: first)
        {
            reject(idlest, .connections)
        }
    }

    /// Closes the idlest connection of a client that has too many.
    private func boundConnections(of client: UInt64?, newFrom first: Int) {
        guard let client, connections.count(of: client) > limits.connectionsPerAddress,
            let idlest = idlest(of: connections.connections(of: client), newFrom: first)
        else { return }
        reject(idlest, .connectionsPerAddress)
    }

    private func idlest(
        of connections: ConnectionTable.Connections, newFrom first: Int
    ) -> WebConnection? {
        statistics.comparedConnections += connections.count
        return connections.lazy.map { (rank: $0.idleness(newFrom: first), connection: $0) }
            .max { $0.rank < $1.rank }?.connection
    }

    private func reject(_ connection: WebConnection, _ reason: WebRefusal) {
        statistics.refused[reason, default: 0] += 1
        report(.refused(reason))
        scheduleClose(connection)
    }

    /// Rejects input before evhttp has seen it.
    func refuse(_ connection: WebConnection, _ reason: WebRefusal) {
        connection.buffer.dropInput()
        if case .waiting = connection.phase, connection.unsent == 0 {
            let words = statusText(reason.status)
            var reply = "HTTP/1.1 \(reason.status) \(words)\r\n"
            reply += ResponseHeaders.lines(ResponseHeaders.security + WebRefusal.headers)
            reply += "Content-Length: \(reason.body.count)\r\nConnection: close\r\n\r\n"
            connection.buffer.sendAtOnce(Array(reply.utf8) + reason.body)
            statistics.replies[reason.status / 100, default: 0] += 1
        }
        reject(connection, reason)
    }

    /// Schedules the closing of a connection for when evhttp isn't using it.
    func scheduleClose(_ connection: WebConnection) {
        guard connection.beginClosing() else { return }
        connections.scheduleClose(connection)
        processSoon()
    }

    /// Closes the connections that are scheduled for it.
    private func closePending() {
        while let connection = connections.nextToClose() {
            if let handle = connection.buffer.connection() {
                handle.notifyEnd(to: connection)
                handle.free()
            } else {
                ended(connection)
            }
        }
    }

    /// Removes a connection that has ended, whoever closed it.
    func ended(_ connection: WebConnection) {
        if case .over = connection.phase { return }
        connections.remove(connection)
        let phase = connection.finish()
        statistics.connections = connections.count
        if connections.count == 0 {
            deadlines.cancel()
            sweeper?.cancel()
        }
        switch phase {
        case .answering(let exchange), .replying(let exchange): exchange.finish()
        case .streaming(let stream): stream.finish()
        case .new, .waiting, .dismissed, .over: break
        }
    }

    /// Closes the connections with most unread bytes until the total is within the limit.
    func boundUnsent() {
        while statistics.unsentBytes > limits.unsentBytesInAll {
            guard let most = connections.withMostUnsent(), most.unsent > 0 else { return }
            closeUnread(most, .unsentInAll)
        }
    }

    /// Closes a connection whose client doesn't read.
    func closeUnread(_ connection: WebConnection, _ issue: WebIssue.Kind) {
        statistics.unreadClosed += 1
        scheduleClose(connection)
        report(issue)
    }

    /// Counts bytes that wait to be sent; negative if they were sent or discarded.
    func countUnsent(_ change: Int) {
        statistics.unsentBytes += change
    }

    // MARK: - Deadlines

    /// The time on the clock for deadlines.
    var now: Duration { time() }

    /// Schedules a check of deadlines at a time, or a little later.
    func expect(_ time: Duration) {
        if let time = deadlines.expect(time) { sweeper?.schedule(after: time - now) }
    }

    /// Checks all deadlines.
    ///
    /// Cost: O(connections), four times a second at most.
    func sweep() {
        let now = now
        if deadlines.begin(at: now) {
            for connection in connections.all { connection.restart() }
        }
        for connection in connections.all where !connection.isClosing {
            if let (time, kind) = connection.deadline, time <= now {
                timeOut(connection, kind)
            } else if case .streaming(let stream) = connection.phase {
                stream.beatIfSilent(at: now)
            }
        }
        closePending()
        if let next = connections.all.lazy.compactMap(nextTime).min() { expect(next) }
    }

    private func nextTime(of connection: WebConnection) -> Duration? {
        var times = [connection.deadline?.time]
        if case .streaming(let stream) = connection.phase { times.append(stream.beatTime) }
        return times.compactMap(\.self).min()
    }

    private func timeOut(_ connection: WebConnection, _ kind: WebDeadline) {
        // A timeout between two requests is normal.
        if !connection.isIdle {
            statistics.timedOut[kind, default: 0] += 1
            report(.timedOut(kind))
        }
        if case .answering(let exchange) = connection.phase {
            exchange.isLast = true
            exchange.reply(503, [("Retry-After", "5")], [])
        } else {
            scheduleClose(connection)
        }
    }

    /// Reports a problem, unless one of its kind was reported less than a second ago.
    func report(_ kind: WebIssue.Kind, host: String? = nil) {
        guard let count = issues.report(kind, at: now) else { return }
        onIssue?(WebIssue(kind: kind, count: count, host: host))
    }

    // MARK: - Requests

    /// Accepts a request from evhttp.
    func received(_ request: RequestHandle) {
        guard let id = request.connectionID, let connection = connections[id],
            case .waiting = connection.phase, let endpoints = connection.endpoints
        else {
            // A connection unknown to this server has no limits, so it is closed.
            request.reply(503, .closing, [])
            return
        }
        // It is about to be closed; evhttp reads nothing more until then.
        guard !connection.isClosing else { return }
        let raw = request.raw
        request.notifySent(to: connection)
        do throws(WebRefusal) {
            let head = try RequestHead(raw, hosts: hostRule, below: basePath, at: endpoints)
            let exchange = WebExchange(raw, head, request, of: connection)
            connection.enter(.answering(exchange))
            switch head.place {
            case .below: handler(exchange)
            case .itself: exchange.reply(308, [("Location", basePath.relative)])
            case .elsewhere: exchange.reply(404)
            }
        } catch {
            statistics.refused[error, default: 0] += 1
            report(.refused(error), host: error == .foreignHost ? raw.host : nil)
            let exchange = WebExchange(raw, nil, request, of: connection)
            connection.enter(.answering(exchange))
            let allowed = error == .method ? [("Allow", "GET, HEAD, POST")] : []
            exchange.reply(error.status, allowed + WebRefusal.headers, error.body)
        }
    }

    /// Sends a reply; `body` is nil if it is sent in parts.
    func reply(
        _ exchange: WebExchange, on connection: WebConnection, _ status: Int,
        _ own: [(String, String)], _ body: [UInt8]?, length: Int? = nil
    ) {
        var headers = ResponseHeaders(own)
        let isLast = exchange.isLast || isDraining
        if isLast { headers.add("Connection", "close") }
        let request = exchange.request
        // Evhttp would send a body where none is allowed.
        let mayHaveBody = status != 204 && status != 304
        if mayHaveBody, let length = body?.count ?? length {
            headers.add("Content-Length", String(length))
        }
        if exchange.method == .head || !mayHaveBody {
            request.reply(status, headers, [])
        } else if let body {
            request.reply(status, headers, body)
        } else {
            request.begin(status, headers)
        }
        statistics.replies[status / 100, default: 0] += 1
        boundUnsent()
    }

    /// Handles the end of a reply; evhttp will read the next request or close the connection.
    func replySent(_ connection: WebConnection) {
        let phase = connection.phase
        connection.enter(.waiting)
        guard case .replying(let exchange) = phase else { return }
        if isDraining {
            scheduleClose(connection)
        } else if !exchange.isLast {
            connection.nextRequest()
        }
        exchange.finish()
    }

    /// Handles the end of a part of a reply.
    func partSent(_ connection: WebConnection) {
        guard case .replying(let exchange) = connection.phase, !connection.isClosing else { return }
        connection.restart()
        exchange.sendNextPart()
    }

    /// Handles output that evhttp wrote by itself: an error page for a request it couldn't read, or
    /// 100 Continue.
    func libraryReplied(_ connection: WebConnection) {
        let start = String(decoding: connection.buffer.outputStart(12), as: UTF8.self)
        guard start.hasPrefix("HTTP/1."), let status = Int(start.suffix(3)), status >= 400 else {
            return
        }
        connection.enter(.dismissed)
        statistics.refused[.unreadable, default: 0] += 1
        statistics.replies[status / 100, default: 0] += 1
        // Only the first line is in the buffer, so headers can be appended.
        let lines = ResponseHeaders.lines(ResponseHeaders.security)
        connection.buffer.appendOutput(Array(lines.utf8))
        report(.refused(.unreadable))
    }
}

extension ResponseHeaders {
    /// The headers of a reply that ends the connection.
    static var closing: ResponseHeaders {
        var headers = ResponseHeaders([])
        headers.add("Content-Length", "0")
        headers.add("Connection", "close")
        return headers
    }
}
