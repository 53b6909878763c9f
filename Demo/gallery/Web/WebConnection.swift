/// A client's connection, from the accept to its end.
///
/// Evhttp tells of requests only; what comes and goes before, between and after is seen here.
@safe final class WebConnection {
    /// The phases of a connection.
    enum Phase {
        /// Accepted in this turn, and not looked at yet.
        case new
        /// A request is to come, or is coming.
        case waiting
        /// The program is to answer.
        case answering(WebExchange)
        /// The client is to take the answer.
        case replying(WebExchange)
        /// Events go to the client.
        case streaming(EventStream)
        /// Libevent has refused a request, and the client is to take its words.
        case dismissed
        case over
    }

    /// Until the connection is over: the server knows all its connections until then.
    private(set) var server: WebServer?
    let buffer: BufferHandle
    private(set) var phase = Phase.new
    /// Since when it's at that.
    private(set) var since: Duration
    /// When the client last took something, or wasn't owed anything.
    private(set) var progress: Duration
    /// The ends of the connection; nil while it's new.
    var endpoints: Endpoints?
    /// Whether it's to be closed as soon as evhttp isn't busy with it.
    var isDoomed = false
    /// The bytes that the client hasn't taken.
    private(set) var unsent = 0
    /// The head of the request that is to come, or is coming.
    private var head = HeadReader()
    /// The connection's number among all that were accepted.
    let number: Int

    init(_ buffer: BufferHandle, of server: WebServer) {
        self.buffer = buffer
        self.server = server
        number = server.statistics.accepted
        since = server.clock.now
        progress = since
        buffer.watch(for: self, inputLimit: server.limits.inputBytes)
    }

    func enter(_ phase: Phase) {
        self.phase = phase
        restart()
        if let (time, _) = deadline { server?.expect(time) }
    }

    /// Gives whoever's turn it is all the time again.
    func restart() {
        guard let server else { return }
        since = server.clock.now
        progress = since
    }

    /// What the phase is, when it's over.
    func finish() -> Phase {
        defer {
            phase = .over
            server = nil
        }
        buffer.unwatch(for: self)
        return phase
    }

    var isIdle: Bool {
        guard case .waiting = phase else { return false }
        return head.isEmpty
    }

    /// When which time is over.
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

    /// Returns how idle a connection is, seen from a turn in which those from a number on are new; of two
    /// the greater goes first.
    ///
    /// What it's at counts before the time, so that a page's quiet stream outlives a silent one.
    func idleness(newFrom first: Int) -> (rank: Int, time: Duration, age: Int) {
        let rank =
            switch phase {
            case .new, .answering: 0
            case .replying, .streaming: 1
            case .waiting, .dismissed, .over: number >= first ? 0 : 2
            }
        return (rank, server.map { $0.clock.now - since } ?? .zero, -number)
    }

    // MARK: - What comes and goes

    /// Looks at what came before evhttp does.
    func inputCame(from start: Int) {
        guard let server, !isDoomed else { return }
        if case .new = phase { server.welcome(self) }
        readHead(from: start, of: server)
    }

    /// Looks at the head of the next request, of which some may have been sent ahead.
    func nextRequest() {
        head = HeadReader()
        if let server { readHead(from: 0, of: server) }
    }

    /// Reads along while a head is to come; what is sent ahead is looked at when its turn comes.
    private func readHead(from start: Int, of server: WebServer) {
        guard case .waiting = phase, !isDoomed, !head.isComplete else { return }
        do throws(WebRefusal) {
            try head.read(buffer.inputBytes(from: start), limit: server.limits.lines)
        } catch {
            server.refuse(self, error)
        }
    }

    func outputChanged() {
        guard let server, !isDoomed else { return }
        let before = unsent
        unsent = buffer.outputLength
        server.statistics.unsentBytes += unsent - before
        if unsent < before || before == 0 { progress = server.clock.now }
        if before == 0, unsent > 0, case .streaming = phase, let (time, _) = deadline {
            server.expect(time)
        }
        if unsent > before, case .waiting = phase { server.libraryReplied(self) }
    }

    /// Doesn't count what is about to be thrown away.
    func forgetUnsent() {
        server?.statistics.unsentBytes -= unsent
        unsent = 0
    }
}
