public import DeferredLoading
public import IdleLoop

/// Brings pictures to a list: all that loads them, joined and configured.
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
/// It has a queue and a worker of its own, and listens for memory pressure. What it has subscribed to
/// stays in memory, and a picture that is there is told at once. Under pressure all that isn't
/// subscribed to is let go of, memory is given back in a lull, and for ten seconds only what is on
/// screen, or about to be, is loaded.
///
/// Nothing to do, nothing done: it neither wakes the loop nor watches a file while nobody wants a
/// picture.
public final class PictureLoader {
    /// The loader inside, for other lists and for decisions.
    public let loader: DeferredLoader<PictureRequest, Picture>
    /// The source of its pictures.
    public let source: PictureSource
    /// The listener to memory pressure; nil if there is none.
    public private(set) var pressure: MemoryPressure?
    /// Whether only what is on screen, or about to be, is loaded, as memory was short.
    public var isSaving: Bool { saving != nil }

    private let list: LoadList<PictureRequest, Picture>
    private let queue: IdleQueue<PictureRequest>
    private let loop: MainLoop
    private var wishes: [Wanted<PictureRequest>] = []
    private let savingTime: Duration
    private var saving: LoopTimer?

    /// A loader of pictures in files, and on servers if it has a transport.
    ///
    /// - Parameters:
    ///   - loop: The loop in whose lulls pictures are decoded.
    ///   - store: The thumbnails on disk; nil for none.
    ///   - decoding: The process that decodes: a helper, where files are strangers'.
    ///   - transport: What fetches from servers; nil if no request is for one.
    ///   - configuration: How much at once, and how much in all.
    ///   - commit: Told what can be shown of the pictures it has subscribed to, in a lull or at once.
    /// - Throws: What the system says if it's out of descriptors.
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

    /// Subscribes to a picture: it's told at once if it's in memory, else when it comes.
    public func subscribe(to request: PictureRequest) { list.subscribe(to: request) }

    /// Ends a subscription: nothing more of the picture is told, and it may be let go of.
    public func unsubscribe(from request: PictureRequest) { list.unsubscribe(from: request) }

    /// Called before idle with how far the pictures that it has subscribed to have come; see
    /// ``DeferredLoading/LoadList/onProgress``.
    public var onProgress: ((_ request: PictureRequest, _ state: LoadState<Picture>) -> Void)? {
        get { list.onProgress }
        set { list.onProgress = newValue }
    }

    // MARK: - Wishes

    /// Makes `wanted` what is wanted; see ``DeferredLoading/LoadList/reconcile(with:reason:)``.
    ///
    /// - Parameters:
    ///   - wanted: All that is wanted.
    ///   - reason: Says why a picture is wanted or isn't, to those who listen to decisions.
    public func reconcile(
        with wanted: [Wanted<PictureRequest>], reason: ((PictureRequest) -> String?)? = nil
    ) {
        wishes = wanted
        let now = isSaving ? wanted.filter { $0.urgency >= .landing } : wanted
        list.reconcile(with: now, reason: reason)
    }

    /// Tries a picture again that has failed, at once, as somebody has asked.
    ///
    /// - Parameter request: The picture.
    /// - Returns: Whether it had failed.
    @discardableResult
    public func retry(_ request: PictureRequest) -> Bool {
        source.forgetFailure(of: request)
        return loader.retry(request)
    }

    /// Forgets a picture, as its file has changed; it's loaded anew if it's wanted.
    public func invalidate(_ request: PictureRequest) {
        source.forgetFailure(of: request)
        loader.invalidate(request)
    }

    // MARK: - Memory

    /// Lets go of all that is neither subscribed to nor wanted, also of what waits to be kept on disk,
    /// and gives memory back in a lull.
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

    /// Takes back all its work and ends its subscriptions; nothing is called afterwards.
    public func close() {
        wishes = []
        pressure?.cancel()
        saving.take()?.cancel()
        loader.close()
        source.close()
        queue.close()
    }
}
