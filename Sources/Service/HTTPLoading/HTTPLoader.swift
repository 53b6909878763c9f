internal import CCurl
public import IdleLoop

/// A loader that fetches resources at HTTP and HTTPS URLs, on a loop's own thread.
///
/// It uses libcurl for the protocol and the loop for waiting: libcurl's sockets are watches of the
/// loop, and one timer of the loop serves all of its timeouts. There's no second loop and no thread
/// of this package. (To resolve a name, libcurl as built by Debian starts a thread for the duration
/// of the lookup; a numeric address needs none.)
///
/// ```swift
/// let loader = HTTPLoader(on: loop)
/// let transfer = loader.fetch("https://example.org/a.jpg") { result in
///     switch result {
///     case .success(let body):
///         decoder = PictureJob(bytes: body.bytes, named: body.url, fitting: targetSize)
///     case .failure(let error): log(error)          // typed, and says whether to retry
///     }
/// }
/// transfer.cancel()                                 // the row has left the screen
/// ```
///
/// The cost of a transfer is limited by its ``HTTPLoaderConfiguration``: connections, bytes, time
/// and redirects. It sends no cookies, doesn't read `.netrc`, and uses a proxy from the environment
/// only if it's configured to. With nothing to fetch it has no timer, except for one that closes
/// the idle connections.
///
/// It's confined to its loop's thread, and must not be used on both sides of a fork: a child
/// creates its own loader.
public final class HTTPLoader {
    /// The limits of transfers.
    public let configuration: HTTPLoaderConfiguration
    /// The counts of transfers so far.
    public internal(set) var statistics = HTTPLoaderStatistics()

    let loop: MainLoop
    let cache: HTTPCache?
    let workers: WorkerPool?
    /// The queue of the disk's jobs, and the number of its last job.
    let disk: IdleQueue<Int>?
    var jobs = 0
    /// The number of responses that wait to be stored.
    var saves = 0
    var engine: TransferEngine?
    var isOpen = true
    /// The transfers that wait for a connection, in the order of their requests.
    var waiting: [HTTPTransfer] = []
    var running: [HTTPTransfer] = []
    /// The transfers that failed before they were started, and whose callbacks are still to be
    /// called.
    var refused: [HTTPTransfer] = []
    /// The timer that closes the idle connections.
    var idleTimer: LoopTimer?

    /// Creates a loader whose transfers are driven by `loop`, which must use the machine's clock.
    ///
    /// It reads and writes the files of its `cache` on `workers`, or in lulls if there are none.
    public init(
        on loop: MainLoop, configuration: HTTPLoaderConfiguration = .init(),
        cache: HTTPCache? = nil, workers: WorkerPool? = nil
    ) {
        configuration.check()
        if case .virtual = loop.clock { preconditionFailure("servers live on the machine's clock") }
        self.loop = loop
        self.configuration = configuration
        self.cache = cache
        self.workers = workers
        var queue = QueueConfiguration()
        queue.name = "HTTP cache"
        queue.maxDeferral = .milliseconds(50)
        disk = cache.map { _ in IdleQueue(on: loop, configuration: queue) }
    }

    deinit {
        isOpen = false
        endAll()
    }

    /// The number of transfers that are running, and of those that wait.
    public var counts: (running: Int, waiting: Int) { (running.count, waiting.count) }

    /// Requests a resource from a server.
    ///
    /// `completion` is called once, on the loop and never from inside a call of the loader, unless
    /// the transfer is cancelled before. The transfers of a closed loader fail with
    /// ``HTTPLoadError/closed``. So do requests on a closed loop, when the loader is closed or
    /// released.
    ///
    /// A picture can be decoded while it arrives:
    ///
    /// ```swift
    /// http.fetch("https://example.org/a.jpg", onBytes: { piece in bytes += piece }) { result in
    ///     if case .failure(let error) = result { log(error) }
    /// }
    /// ```
    ///
    /// `onHead` is called once, when the head of a successful response has arrived, with the
    /// response without its bytes. After that `onBytes` is called with each piece of the body. The
    /// loader keeps no delivered pieces, and the response at the end then has no bytes. Inside each
    /// of the callbacks, transfers may be cancelled and the loader may be closed.
    @discardableResult
    public func fetch(
        _ request: HTTPLoadRequest, onHead: ((HTTPLoadResponse) -> Void)? = nil,
        onBytes: (([UInt8]) -> Void)? = nil,
        completion: @escaping (Result<HTTPLoadResponse, HTTPLoadError>) -> Void
    ) -> HTTPTransfer {
        statistics.begun += 1
        let listener = HTTPTransfer.Listener(
            onHead: onHead, onBytes: onBytes, completion: completion)
        do throws(HTTPLoadError) {
            let origin = try URLOrigin(of: request.url)
            guard isOpen, !loop.isClosed else { throw HTTPLoadError.closed }
            let transfer = HTTPTransfer(request, origin, of: self, listener)
            waiting.append(transfer)
            look(for: transfer)
            fillPlaces()
            return transfer
        } catch {
            let transfer = HTTPTransfer(request, nil, of: self, listener)
            refuse(transfer, error)
            return transfer
        }
    }

    /// Fails all transfers with ``HTTPLoadError/closed``, and closes all connections.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        endAll()
    }

    private func endAll() {
        let all = refused + running + waiting
        for transfer in running { engine?.remove(transfer) }
        (running, waiting, refused) = ([], [], [])
        idleTimer.take()?.cancel()
        for transfer in all { transfer.release() }
        engine = nil
        disk?.close()
        for transfer in all { tell(transfer, .failure(.closed)) }
    }

    // MARK: - Connections

    /// Starts the waiting transfers for which there is a connection.
    func fillPlaces() {
        var next = 0
        while isOpen, running.count < configuration.connections, next < waiting.count {
            let transfer = waiting[next]
            guard transfer.place == .waiting, let origin = transfer.origin,
                running.count(where: { $0.origin?.server == origin.server })
                    < configuration.connectionsPerHost
            else {
                next += 1
                continue
            }
            waiting.remove(at: next)
            do {
                try begin(transfer, origin)
            } catch {
                transfer.release()
                refuse(transfer, error)
            }
        }
        if running.isEmpty { closeWhenIdle() }
    }

    private func begin(_ transfer: HTTPTransfer, _ origin: URLOrigin) throws(HTTPLoadError) {
        let engine = try takeEngine()
        try transfer.prepare(origin, configuration)
        try engine.add(transfer)
        transfer.place = .running
        running.append(transfer)
        idleTimer.take()?.cancel()
    }

    /// Returns the engine; a new one if the connections were closed.
    private func takeEngine() throws(HTTPLoadError) -> TransferEngine {
        if let engine { return engine }
        let engine = try TransferEngine(on: loop, configuration)
        self.engine = engine
        engine.onProgress = { [weak self] in self?.progressed($0) }
        engine.onBreak = { [weak self] in self?.broke($0) }
        return engine
    }

    /// Removes a running transfer, which frees its connection.
    func leave(_ transfer: HTTPTransfer) {
        engine?.remove(transfer)
        transfer.release()
        running.removeAll { $0 === transfer }
    }

    /// Closes all connections after a time without transfers.
    private func closeWhenIdle() {
        guard isOpen, engine != nil, idleTimer == nil, !loop.isClosed else { return }
        idleTimer = loop.schedule(after: configuration.keepAlive) { [weak self] in
            self?.idleTimer = nil
            self?.engine = nil
        }
    }
}
