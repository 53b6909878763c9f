internal import CCurl
public import IdleLoop

/// Fetches what is at HTTP and HTTPS addresses, on a loop's own thread.
///
/// libcurl does the talking and the loop does the waiting: its sockets are watches of the loop, and
/// one timer of the loop is all the time it has. There's no second loop and no thread of ours. (To
/// look a name up, libcurl as Debian builds it starts a thread for as long as that takes; an address
/// in digits needs none.)
///
/// ```swift
/// let loader = HTTPLoader(on: loop)
/// let transfer = loader.fetch("https://example.org/a.jpg") { result in
///     switch result {
///     case .success(let body): decoder = PictureJob(bytes: body.bytes, named: body.url, fitting: box)
///     case .failure(let error): log(error)          // a type of its own, with what may pass
///     }
/// }
/// transfer.cancel()                                 // the row has left
/// ```
///
/// The cost of a transfer is bounded by its ``HTTPLoaderConfiguration``: connections, bytes, time and
/// redirects. It sends no cookies, reads no `.netrc`, and asks the environment for a proxy only if it's
/// told to. With nothing to fetch it has no timer, but for one that closes the connections that were
/// kept for the next transfer.
///
/// It belongs to its loop's thread, and isn't for both sides of a fork: a child makes its own.
public final class HTTPLoader {
    /// The limits of transfers.
    public let configuration: HTTPLoaderConfiguration
    /// The counts of transfers so far.
    public internal(set) var statistics = HTTPLoaderStatistics()

    let loop: MainLoop
    let cache: HTTPCache?
    let workers: WorkerPool?
    /// The work for the disk, and the number of its last job.
    let disk: IdleQueue<Int>?
    var jobs = 0
    /// The number of responses that wait to be stored.
    var saves = 0
    var engine: TransferEngine?
    var isOpen = true
    /// In the order in which they came.
    var waiting: [HTTPTransfer] = []
    var running: [HTTPTransfer] = []
    /// Transfers that have failed before they were begun, to be told soon.
    var refused: [HTTPTransfer] = []
    /// The timer that closes the connections.
    var rest: LoopTimer?

    /// A loader whose transfers live on `loop`, which is on the machine's clock.
    ///
    /// It reads and writes the files of its `cache` by `workers`, or in lulls if there are none.
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

    /// The number of transfers that have their turn, and of those that wait for it.
    public var counts: (running: Int, waiting: Int) { (running.count, waiting.count) }

    /// Asks a server for a resource.
    ///
    /// `completion` is called once, on the loop and never from inside a call of the loader, unless the
    /// transfer is cancelled before. A closed loader's transfer fails as ``HTTPLoadError/closed``; so
    /// does what was asked for on a closed loop, when the loader is closed or goes.
    ///
    /// A picture can be decoded while it arrives:
    ///
    /// ```swift
    /// http.fetch("https://example.org/a.jpg", onBytes: { piece in bytes += piece }) { result in
    ///     if case .failure(let error) = result { log(error) }
    /// }
    /// ```
    ///
    /// `onHead` is called once, when the head of a successful response has come, with all but its bytes;
    /// after it `onBytes` with each piece of the body. Who takes pieces has them for himself: the loader
    /// keeps none, and the response at the end has no bytes. From inside any of the callbacks transfers
    /// may be cancelled and the loader closed.
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

    /// Ends all transfers, which have failed as ``HTTPLoadError/closed``, and closes all connections.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        endAll()
    }

    private func endAll() {
        let all = refused + running + waiting
        for transfer in running { engine?.remove(transfer) }
        (running, waiting, refused) = ([], [], [])
        rest.take()?.cancel()
        for transfer in all { transfer.release() }
        engine = nil
        disk?.close()
        for transfer in all { tell(transfer, .failure(.closed)) }
    }

    // MARK: - Places

    /// Begins the transfers that there's a place for.
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
        if running.isEmpty { restSoon() }
    }

    private func begin(_ transfer: HTTPTransfer, _ origin: URLOrigin) throws(HTTPLoadError) {
        let engine = try takeEngine()
        try transfer.prepare(origin, configuration)
        try engine.add(transfer)
        transfer.place = .running
        running.append(transfer)
        rest?.cancel()
        rest = nil
    }

    /// The engine; a new one if connections were closed.
    private func takeEngine() throws(HTTPLoadError) -> TransferEngine {
        if let engine { return engine }
        let engine = try TransferEngine(on: loop, configuration)
        self.engine = engine
        engine.onProgress = { [weak self] in self?.progressed($0) }
        engine.onBreak = { [weak self] in self?.broke($0) }
        return engine
    }

    /// Takes a transfer's place away.
    func leave(_ transfer: HTTPTransfer) {
        engine?.remove(transfer)
        transfer.release()
        running.removeAll { $0 === transfer }
    }

    /// Closes all connections when nothing was fetched for a while.
    private func restSoon() {
        guard isOpen, engine != nil, rest == nil, !loop.isClosed else { return }
        rest = loop.schedule(after: configuration.keepAlive) { [weak self] in
            self?.rest = nil
            self?.engine = nil
        }
    }
}
