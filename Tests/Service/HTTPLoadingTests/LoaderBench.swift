import HTTPLoading
import IdleLoop
import TestServer
import Testing

/// A loader and a server on one loop, and what the loader has come to.
final class LoaderBench {
    typealias Outcome = Result<HTTPLoadResponse, HTTPLoadError>

    let loop: MainLoop
    let server: TestServer
    private(set) var loader: HTTPLoader!
    private(set) var outcomes: [(path: String, outcome: Outcome)] = []

    init(_ change: (inout HTTPLoaderConfiguration) -> Void = { _ in }) throws {
        loop = try MainLoop()
        server = try TestServer(on: loop)
        restart(change)
    }

    /// Has another loader take the place of the one there was.
    func restart(
        cache: HTTPCache? = nil, workers: WorkerPool? = nil,
        _ change: (inout HTTPLoaderConfiguration) -> Void = { _ in }
    ) {
        var configuration = HTTPLoaderConfiguration()
        change(&configuration)
        loader = HTTPLoader(
            on: loop, configuration: configuration, cache: cache, workers: workers)
    }

    deinit {
        loader?.close()
        server.close()
        loop.close()
    }

    @discardableResult
    func fetch(_ path: String, _ change: (inout HTTPLoadRequest) -> Void = { _ in }) -> HTTPTransfer
    {
        var request = HTTPLoadRequest(path.hasPrefix("/") ? server.url(path) : path)
        change(&request)
        return loader.fetch(request) { [weak self] outcome in
            self?.outcomes.append((path, outcome))
        }
    }

    /// Runs until something is so when the loop has nothing else to do, or also while it has; it's a
    /// failure if it never is.
    func run(whileBusy: Bool = false, until isSo: @escaping () -> Bool) throws {
        var isHung = false
        let limit = loop.schedule(after: .seconds(600)) { [loop] in
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
    func outcome(of path: String, _ change: (inout HTTPLoadRequest) -> Void = { _ in }) throws
        -> Outcome
    {
        let count = outcomes.count
        fetch(path, change)
        #expect(outcomes.count == count, "nobody is called from inside")
        try run(ends: count + 1)
        return try #require(outcomes.last).outcome
    }

    func body(of path: String, _ change: (inout HTTPLoadRequest) -> Void = { _ in }) throws
        -> HTTPLoadResponse
    {
        try outcome(of: path, change).get()
    }

    func error(of path: String) throws -> HTTPLoadError? {
        guard case .failure(let error) = try outcome(of: path) else { return nil }
        return error
    }

    func release() {
        loader = nil
    }
}

extension HTTPLoadResponse {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
