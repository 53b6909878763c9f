internal import CLullCurl
public import IdleLoop
internal import LullLibC

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
///         decoder = PictureJob(.bytes(body.bytes), named: body.url, fitting: targetSize)
///     case .failure(let error): log(error)          // typed, and says whether to retry
///     }
/// }
/// transfer.cancel()                                 // the row has left the screen
/// ```
///
/// In a task, ``response(for:)`` returns the response. Bodies that a server sends compressed are
/// decompressed, as far as libcurl can (gzip, deflate and, as built by Debian, Brotli and
/// Zstandard).
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
    public private(set) var statistics = HTTPLoaderStatistics()

    let loop: MainLoop
    let store: ResponseStore?
    private var engine: TransferEngine?
    private var isOpen = true
    /// The transfers that wait for a connection, in the order of their requests.
    private var waiting: [HTTPTransfer] = []
    private var running: [HTTPTransfer] = []
    /// The transfers that failed before they were started, and whose callbacks are still to be
    /// called.
    private var refused: [HTTPTransfer] = []
    /// The timer that closes the idle connections.
    private var idleTimer: LoopTimer?

    /// Creates a loader whose transfers are driven by `loop`, which must use the machine's clock.
    ///
    /// It reads and writes the files of its `cache` on `workers`, or in lulls if there are none.
    /// Traps if the loop is on virtual time, or a number of the configuration makes no sense.
    public init(
        on loop: MainLoop, configuration: HTTPLoaderConfiguration = .init(),
        cache: HTTPCache? = nil, workers: WorkerPool? = nil
    ) {
        configuration.check()
        if case .virtual = loop.clock { preconditionFailure("servers live on the machine's clock") }
        self.loop = loop
        self.configuration = configuration
        store = cache.map {
            ResponseStore($0, on: loop, workers: workers, for: configuration)
        }
    }

    deinit {
        isOpen = false
        endAll()
    }

    /// The number of transfers that are running, and of those that wait.
    public var counts: (running: Int, waiting: Int) { (running.count, waiting.count) }

    /// Requests a resource from a server.
    ///
    /// `completion` is called once, on the loop and never from inside this call. A transfer that is
    /// cancelled fails with ``HTTPLoadError/cancelled``, and the transfers of a closed loader with
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
            let transfer = HTTPTransfer(request, origin, of: self, store, listener)
            waiting.append(transfer)
            lookUp(transfer)
            fillPlaces()
            return transfer
        } catch {
            let transfer = HTTPTransfer(request, nil, of: self, store, listener)
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
        store?.close()
        for transfer in all { tell(transfer, .failure(.closed)) }
    }

    // MARK: - Connections

    /// Starts the waiting transfers for which there is a connection.
    private func fillPlaces() {
        var next = 0
        while isOpen, running.count < configuration.connections, next < waiting.count {
            let transfer = waiting[next]
            guard transfer.stage == .waiting, let origin = transfer.origin,
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
        try transfer.prepare(origin, configuration, at: store?.now)
        try engine.add(transfer)
        transfer.stage = .running
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
    private func leave(_ transfer: HTTPTransfer) {
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

    // MARK: - Ends

    /// Removes the transfers that have ended, starts others in their place, and only then calls the
    /// callbacks of those that ended and of those that made progress.
    private func progressed(_ ends: [(HTTPTransfer, CURLcode)]) {
        let results = ends.map { transfer, code in
            (transfer, transfer.result(code, configuration))
        }
        for (transfer, _) in results { leave(transfer) }
        let told = results.filter { !consultStore($0, $1) }
        if !results.isEmpty { fillPlaces() }
        for (transfer, result) in told { tell(transfer, result) }
        for transfer in running { transfer.deliverProgress() }
    }

    private func broke(_ error: LoopError) {
        let all = running
        for transfer in all { leave(transfer) }
        engine = nil
        fillPlaces()
        for transfer in all { tell(transfer, .failure(.connection("\(error)"))) }
    }

    private func tell(_ transfer: HTTPTransfer, _ result: Result<HTTPLoadResponse, HTTPLoadError>) {
        let result = result.map(transfer.deliver)
        guard transfer.isAwaited else { return }
        switch result {
        case .success:
            statistics.done += 1
            statistics.bytes += transfer.received
        case .failure: statistics.failed += 1
        }
        transfer.tell(result)
    }

    /// Fails a transfer before it was started, after the caller has returned.
    private func refuse(_ transfer: HTTPTransfer, _ error: HTTPLoadError) {
        transfer.stage = .ended
        refused.append(transfer)
        guard !loop.isClosed else { return }
        loop.schedule(after: .zero) { [weak self] in
            self?.refused.removeAll { $0 === transfer }
            self?.tell(transfer, .failure(error))
        }
    }

    /// Releases a transfer that was cancelled.
    func abandon(_ transfer: HTTPTransfer) {
        statistics.cancelled += 1
        switch transfer.stage {
        case .lookingUp, .waiting:
            transfer.stage = .ended
            transfer.lookup?.cancel()
            waiting.removeAll { $0 === transfer }
        case .running:
            // A name lookup has a thread, so it keeps its connection's place until it ends: there
            // are never more lookups than connections.
            guard !transfer.isLookingUp else { return }
            leave(transfer)
            fillPlaces()
        case .ended: refused.removeAll { $0 === transfer }
        }
    }

    // MARK: - Stored responses

    /// Looks for a stored response before a transfer is started.
    private func lookUp(_ transfer: HTTPTransfer) {
        guard let store, let key = transfer.caching?.key else { return }
        transfer.stage = .lookingUp
        transfer.lookup = store.find(key) { [weak self] in self?.found($0, for: transfer) }
    }

    private func found(_ found: (head: StoredHead, body: [UInt8])?, for transfer: HTTPTransfer) {
        guard let store, var caching = transfer.caching, transfer.stage == .lookingUp else {
            return
        }
        transfer.stage = .waiting
        let confirmed = caching.confirmed.take()
        let isUsable =
            if confirmed != nil {
                found?.head.version == caching.stored?.version
            } else {
                found?.head.freshness.isFresh(at: store.now) == true
            }
        guard let found, isUsable else {
            // A response that was revalidated and has been removed since is requested again.
            caching.stored = confirmed == nil ? found?.head : nil
            transfer.caching = caching
            return fillPlaces()
        }
        waiting.removeAll { $0 === transfer }
        transfer.stage = .ended
        if let confirmed, confirmed != found.head {
            store.save(confirmed, confirmed.isUseful ? [found.body] : nil, for: caching.key)
        }
        if confirmed == nil { statistics.cacheHits += 1 }
        var response = HTTPLoadResponse((confirmed ?? found.head).head, url: transfer.request.url)
        response.bytes = found.body
        tell(transfer, .success(response))
    }

    /// Stores a response, or looks for the stored one if the server has revalidated it.
    ///
    /// - Returns: Whether the transfer continues; if not, its result is to be delivered.
    private func consultStore(
        _ transfer: HTTPTransfer, _ result: Result<HTTPLoadResponse, HTTPLoadError>
    ) -> Bool {
        guard let store, isOpen, var caching = transfer.caching,
            case .success(let response) = result
        else { return false }
        let head = StoredHead(
            transfer.decodedHead, sender: configuration.sender, asked: caching.asked,
            answered: store.now)
        guard response.status == 304, let stored = caching.stored else {
            let body = head.isUseful ? transfer.pieces : nil
            if body != nil || caching.stored != nil { store.save(head, body, for: caching.key) }
            return false
        }
        caching.confirmed = stored.refreshed(with: head)
        if caching.confirmed == nil { caching.stored = nil }
        transfer.caching = caching
        transfer.stage = .waiting
        waiting.append(transfer)
        if caching.confirmed != nil {
            statistics.confirmed += 1
            lookUp(transfer)
        }
        return true
    }
}
