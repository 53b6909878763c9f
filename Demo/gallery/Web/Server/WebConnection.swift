/// A client's connection, from the accept to its end.
///
/// Evhttp reports requests only; the bytes before, between and after them are observed here.
@safe final class WebConnection {
    /// The phases of a connection.
    enum Phase {
        /// Accepted in this turn, and not examined yet.
        case new
        /// Waiting for a request, or receiving one.
        case waiting
        /// Waiting for the program's answer.
        case answering(WebExchange)
        /// Sending the answer.
        case replying(WebExchange)
        /// Sending events.
        case streaming(EventStream)
        /// Sending libevent's own refusal of a request.
        case dismissed
        case over
    }

    /// The server, until the connection has ended; it holds all its connections until then.
    private(set) var server: WebServer?
    let buffer: BufferHandle
    private(set) var phase = Phase.new
    /// The time at which the phase began.
    private var since: Duration
    /// The time at which the client last received something, or nothing was left to send.
    private var progress: Duration
    /// The ends of the connection; nil while it's new.
    private(set) var endpoints: Endpoints?
    /// Whether it is to be closed as soon as evhttp isn't using it.
    private(set) var isClosing = false
    /// The number of bytes that the client hasn't received.
    private(set) var unsent = 0
    /// The head of the next or current request.
    private var head = HeadReader()
    /// The number of the connection, in the order of accepting.
    let number: Int

    init(_ buffer: BufferHandle, of server: WebServer) {
        self.buffer = buffer
        self.server = server
        number = server.statistics.accepted
        since = server.now
        progress = since
        buffer.watch(for: self, inputLimit: server.limits.inputBytes)
    }

    func enter(_ phase: Phase) {
        self.phase = phase
        restart()
        if let (time, _) = deadline { server?.expect(time) }
    }

    /// Records the ends of the connection.
    func admit(at endpoints: Endpoints) { self.endpoints = endpoints }

    /// Discards what is to be sent, as the connection is about to be closed; returns false if it is
    /// already.
    func beginClosing() -> Bool {
        if isClosing { return false }
        if case .over = phase { return false }
        isClosing = true
        forgetUnsent()
        return true
    }

    /// Restarts the current deadline.
    func restart() {
        guard let server else { return }
        since = server.now
        progress = since
    }

    /// Ends the connection, and returns its last phase.
    func finish() -> Phase {
        defer {
            phase = .over
            server = nil
        }
        forgetUnsent()
        buffer.unwatch(for: self)
        return phase
    }

    /// The connection itself, unless it is about to be closed.
    var ifOpen: WebConnection? { isClosing ? nil : self }

    var isIdle: Bool {
        guard case .waiting = phase else { return false }
        return head.isEmpty
    }

    /// The current deadline and its kind.
    var deadline: (time: Duration, kind: WebDeadline)? {
        guard let limits = server?.limits else { return nil }
        switch phase {
        case .new, .over: return nil
        case .waiting: return (since + limits.requestTime, .request)
        case .answering: return (since + limits.answerTime, .answer)
        case .replying, .dismissed: return (since + limits.replyTime, .reply)
        case .streaming: return unsent == 0 ? nil : (progress + limits.replyTime, .reply)
        }
    }

    /// Returns the idleness of a connection for comparison, in a turn whose new connections have
    /// numbers from `first` on.
    ///
    /// The greatest is closed first. The phase has precedence over the time, so that a page's quiet
    /// stream outlives a silent connection.
    func idleness(newFrom first: Int) -> (rank: Int, time: Duration, age: Int) {
        let rank =
            switch phase {
            case .new, .answering: 0
            case .replying, .streaming: 1
            case .waiting, .dismissed, .over: number >= first ? 0 : 2
            }
        return (rank, server.map { $0.now - since } ?? .zero, -number)
    }

    // MARK: - Input and output

    /// Examines input before evhttp reads it.
    func inputReceived(from start: Int) {
        guard let server, !isClosing else { return }
        if case .new = phase { server.admit(self) }
        readHead(from: start, of: server)
    }

    /// Examines the head of the next request, part of which may have been received already.
    func nextRequest() {
        head = HeadReader()
        if let server { readHead(from: 0, of: server) }
    }

    /// Reads a head as it arrives; pipelined requests are examined when it is their turn.
    private func readHead(from start: Int, of server: WebServer) {
        guard case .waiting = phase, !isClosing, !head.isComplete else { return }
        do throws(WebRefusal) {
            try head.read(buffer.inputBytes(from: start), limit: server.limits.lines)
        } catch {
            server.refuse(self, error)
        }
    }

    func outputChanged() {
        guard let server, !isClosing else { return }
        let before = unsent
        unsent = buffer.outputLength
        server.countUnsent(unsent - before)
        if unsent < before || before == 0 { progress = server.now }
        if before == 0, unsent > 0, case .streaming = phase, let (time, _) = deadline {
            server.expect(time)
        }
        if unsent > before, case .waiting = phase { server.libraryReplied(self) }
    }

    /// Removes unsent bytes from the count, as they are about to be discarded.
    private func forgetUnsent() {
        server?.countUnsent(-unsent)
        unsent = 0
    }
}
