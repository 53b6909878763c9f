public import DeferredLoading
public import IdleLoop

/// A loader of pictures for a list, with its queue, worker and source joined and configured.
///
/// ```swift
/// let pictures = try PictureLoader(on: loop) { request, state in
///     if let picture = state.shown { cells[request]?.show(picture) }
/// }
/// let thumbnail = PictureRequest("photos/a.jpg", fitting: PixelSize(width: 256, height: 256))
/// pictures.subscribe(to: thumbnail)
/// pictures.reconcile(with: [Wanted(thumbnail, urgency: .visible, rank: 0)])
/// ```
///
/// It has its own queue and worker, and listens for memory pressure. Subscribed pictures stay in
/// memory; a picture that is already there is delivered immediately. Under memory pressure the
/// loader evicts all pictures that aren't subscribed to, returns freed memory to the system in a
/// lull, and for ten seconds loads only what is on screen, or about to be.
///
/// While nobody wants a picture, it neither wakes the loop nor watches a file.
public final class PictureLoader {
    /// The underlying loader, for further lists and for observing decisions.
    public let loader: DeferredLoader<PictureRequest, Picture>
    /// The source of its pictures.
    public let source: PictureSource
    /// The listener to memory pressure; nil if there is none.
    public private(set) var pressure: MemoryPressure?
    /// Whether only pictures on screen, or about to be, are loaded because memory was short.
    public var isSaving: Bool { saving != nil }

    private let list: LoadList<PictureRequest, Picture>
    private let queue: IdleQueue<PictureRequest>
    private let loop: MainLoop
    private var wishes: [Wanted<PictureRequest>] = []
    private let savingTime: Duration
    private var saving: LoopTimer?

    /// Creates a loader of pictures in files and, with a transport, on servers.
    ///
    /// - Parameters:
    ///   - loop: The loop in whose lulls pictures are decoded.
    ///   - store: The thumbnails on disk; nil for none.
    ///   - decoding: The process that decodes pictures; a helper for untrusted files.
    ///   - transport: The transport that fetches from servers; nil if no request needs one.
    ///   - configuration: The limits of concurrent work and of memory.
    ///   - commit: Called with the state of a subscribed picture, in a lull or immediately.
    /// - Throws: The system's error if it has run out of descriptors.
    public init(
        on loop: MainLoop, store: (any ThumbnailStore)? = nil,
        decoding: PictureDecoding = .inProcess,
        transport: (any PictureTransport)? = nil,
        configuration: PictureLoaderConfiguration = PictureLoaderConfiguration(),
        commit: @escaping (_ request: PictureRequest, _ state: LoadState<Picture>) -> Void
    ) throws(LoopError) {
        self.loop = loop
        savingTime = configuration.savingTime
        var costs = DecodingCosts()
        if configuration.calibrates { costs.calibrate(loop.clock) }
        let queue = IdleQueue<PictureRequest>(on: loop, configuration: configuration.queue)
        let pool =
            configuration.workers > 0
            ? try WorkerPool(width: configuration.workers, on: loop) : nil
        let source = PictureSource(
            on: loop, pool: pool, store: store, decoding: decoding, transport: transport,
            decoders: configuration.decoders, limits: configuration.limits, costs: costs,
            slice: configuration.queue.slice ?? .milliseconds(2))
        var loading = configuration.loading
        if loading.byteLimit == nil { loading.byteLimit = PictureLoaderConfiguration.usualBytes }
        self.queue = queue
        self.source = source
        loader = DeferredLoader(
            queue: queue, pool: pool, source: source, configuration: loading)
        list = loader.list(commit: commit)
        guard let settings = configuration.pressure else { return }
        pressure = MemoryPressure(on: loop, configuration: settings) { [weak self] in
            self?.memoryIsShort()
        }
        source.onLoaded = { [weak self] _, _ in self?.pressure?.isNeeded = true }
    }

    deinit {
        close()
    }

    // MARK: - Subscriptions

    /// Subscribes to a picture, which is delivered immediately if it's in memory, or else when it's
    /// loaded.
    public func subscribe(to request: PictureRequest) { list.subscribe(to: request) }

    /// Ends a subscription: the picture is no longer delivered, and may be evicted.
    public func unsubscribe(from request: PictureRequest) { list.unsubscribe(from: request) }

    /// A closure that is called before idle with the progress of subscribed pictures; see
    /// ``/DeferredLoading/LoadList/onProgress``.
    public var onProgress: ((_ request: PictureRequest, _ state: LoadState<Picture>) -> Void)? {
        get { list.onProgress }
        set { list.onProgress = newValue }
    }

    // MARK: - Wanted pictures

    /// Replaces the wanted pictures; see ``/DeferredLoading/LoadList/reconcile(with:reason:)``.
    ///
    /// - Parameters:
    ///   - wanted: All wanted pictures.
    ///   - reason: Returns why a picture is or isn't wanted, for observers of decisions.
    public func reconcile(
        with wanted: [Wanted<PictureRequest>], reason: ((PictureRequest) -> String?)? = nil
    ) {
        wishes = wanted
        let now = isSaving ? wanted.filter { $0.urgency >= .landing } : wanted
        list.reconcile(with: now, reason: reason)
    }

    /// Retries a failed picture immediately, on request.
    ///
    /// - Parameter request: The picture.
    /// - Returns: Whether it had failed.
    @discardableResult
    public func retry(_ request: PictureRequest) -> Bool {
        source.forgetFailure(of: request)
        return loader.retry(request)
    }

    /// Forgets a picture because its file has changed; it's loaded again if it's wanted.
    public func invalidate(_ request: PictureRequest) {
        source.forgetFailure(of: request)
        loader.invalidate(request)
    }

    // MARK: - Memory

    /// Evicts all that is neither subscribed to nor wanted, cancels pending writes to disk, and
    /// returns freed memory to the system in a lull.
    public func trim() {
        loader.trim(to: 0)
        source.cancelStores()
        source.giveMemoryBack()
        pressure?.isNeeded = false
    }

    private func memoryIsShort() {
        trim()
        saving?.cancel()
        saving = loop.schedule(after: savingTime) { [weak self] in
            guard let self else { return }
            saving = nil
            reconcile(with: wishes)
        }
        reconcile(with: wishes)
    }

    /// Cancels all its work and ends its subscriptions; nothing is called afterwards.
    public func close() {
        wishes = []
        pressure?.cancel()
        saving.take()?.cancel()
        loader.close()
        source.close()
        queue.close()
    }
}
