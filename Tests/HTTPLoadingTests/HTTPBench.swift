import HTTPLoading
import IdleLoop
import Testing

/// A client and a server on one loop, and what the client has come to.
final class HTTPBench {
    typealias Outcome = Result<HTTPBody, HTTPError>

    let loop: MainLoop
    let server: TestServer
    private(set) var client: HTTPClient!
    private(set) var outcomes: [(path: String, outcome: Outcome)] = []
    /// Told of each end.
    var onEnd: (String, Outcome) -> Void = { _, _ in }

    init(_ change: (inout HTTPConfiguration) -> Void = { _ in }) throws {
        loop = try MainLoop()
        server = try TestServer(on: loop)
        var configuration = HTTPConfiguration()
        change(&configuration)
        client = HTTPClient(on: loop, configuration: configuration)
    }

    deinit {
        client?.close()
        server.close()
        loop.close()
    }

    @discardableResult
    func fetch(_ path: String, _ change: (inout HTTPRequest) -> Void = { _ in }) -> HTTPTransfer {
        var request = HTTPRequest(path.hasPrefix("/") ? server.url(path) : path)
        change(&request)
        return client.fetch(request) { [weak self] outcome in
            self?.outcomes.append((path, outcome))
            self?.onEnd(path, outcome)
        }
    }

    /// Runs until something is so when the loop has nothing else to do, or also while it has; it's a
    /// failure if it never is.
    func run(whileBusy: Bool = false, until isSo: @escaping () -> Bool) throws {
        var isHung = false
        let limit = loop.schedule(after: .seconds(30)) { [loop] in
            isHung = true
            loop.stop()
        }
        defer { limit.cancel() }
        let observer = loop.observe(.beforeIdle) { [loop] _ in
            if isSo() { loop.stop() }
        }
        defer { observer.cancel() }
        let beat =
            whileBusy
            ? loop.schedule(after: .zero, every: .milliseconds(1)) { [loop] in
                if isSo() { loop.stop() }
            } : nil
        defer { beat?.cancel() }
        if !isSo() { try loop.run() }
        #expect(!isHung, "it has come to an end")
    }

    /// Runs until so many transfers have ended.
    func run(ends count: Int) throws {
        try run { [unowned self] in outcomes.count >= count }
    }

    /// What one transfer comes to.
    func outcome(of path: String, _ change: (inout HTTPRequest) -> Void = { _ in }) throws
        -> Outcome
    {
        let count = outcomes.count
        fetch(path, change)
        #expect(outcomes.count == count, "nobody is called from inside")
        try run(ends: count + 1)
        return try #require(outcomes.last).outcome
    }

    func body(of path: String, _ change: (inout HTTPRequest) -> Void = { _ in }) throws -> HTTPBody
    {
        try outcome(of: path, change).get()
    }

    func error(of path: String) throws -> HTTPError? {
        guard case .failure(let error) = try outcome(of: path) else { return nil }
        return error
    }

    func release() {
        client = nil
    }
}

extension HTTPBody {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
