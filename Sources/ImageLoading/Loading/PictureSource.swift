public import DeferredLoading
public import IdleLoop

/// Pictures for a loader: from memory, from a store of small ones, or decoded from their files.
///
/// ```swift
/// let source = PictureSource(on: loop)
/// let loader = DeferredLoader(queue: queue, pool: pool, source: source)
/// source.onWorkerWanted = { [weak loader] request in loader?.invalidate(request) }
/// ```
///
/// ``PictureLoader`` joins all this. Most pictures are decoded on the loop, in slices that end when
/// the next step would be too long for them. What can't be cut into short slices, or would take too
/// many of them while the loop is busy, is decoded on a worker, see ``DecodingCosts``: a loader with
/// a pool has it when its source says that it's wanted. A file's header is read once for each of the
/// file's states, in a lull.
///
/// What fails for a reason that may pass is tried again up to four times; what is the file's own
/// fault isn't, until the file changes, and costs nothing until then, see ``FailureMemory``.
public final class PictureSource: LoadSource {
    /// The pictures in memory.
    public let cache: PictureCache
    /// Where small pictures outlive the process; nil for nowhere.
    public let store: (any ThumbnailStore)?
    /// What a file may cost.
    public let limits: PictureLimits
    /// What decoding takes on this machine.
    public internal(set) var costs: DecodingCosts
    /// Which files gave no picture of late.
    public internal(set) var failures = FailureMemory()
    /// What was done so far.
    public internal(set) var statistics = PictureStatistics()
    /// Told of a picture that had better be decoded on a worker; nil if there is none.
    ///
    /// A loader with a pool takes the picture back and asks for it again, by `invalidate`.
    public var onWorkerWanted: ((PictureRequest) -> Void)?
    /// Told of each picture that was loaded, in whatever way.
    public var onLoaded: ((PictureRequest) -> Void)?

    /// Told of each step of a decoder, so that tests on virtual time can have it take some.
    package var onStep: ((PictureRequest) -> Void)?

    let loop: MainLoop
    let slice: Duration
    var headers = HeaderBook()
    /// What goes to workers, until it comes back from there.
    private(set) var forWorkers = RecencyTable<PictureRequest, PictureHeader>()
    private(set) var chores: PictureChores!

    /// How often a load is tried in all.
    static let tries = 5

    /// A source of pictures in files.
    ///
    /// - Parameters:
    ///   - loop: The loop of the loader. What can wait is done there, in lulls, by a queue of its own.
    ///   - cache: Keeps pictures in memory; one may serve several sources of a loop.
    ///   - store: Keeps small pictures on disk.
    ///   - limits: What a file may cost.
    ///   - costs: What decoding takes, as far as that is known.
    ///   - slice: How long a slice of the loader's queue may take.
    public init(
        on loop: MainLoop, cache: PictureCache = PictureCache(),
        store: (any ThumbnailStore)? = nil, limits: PictureLimits = PictureLimits(),
        costs: DecodingCosts = DecodingCosts(), slice: Duration = .milliseconds(2)
    ) {
        self.loop = loop
        self.cache = cache
        self.store = store
        self.limits = limits
        self.costs = costs
        self.slice = slice
        chores = PictureChores(on: loop) { [weak self] path in
            _ = try? self?.header(of: path, FileStamp(ofFile: path))
        }
    }

    deinit {
        chores.close()
    }

    /// What decoding a picture is expected to take on the loop; nil until its header is known, which
    /// is then read in one of the next lulls.
    public func cost(of request: PictureRequest) -> Duration? {
        if forWorkers[request] != nil || cache.contains(request) { return .zero }
        guard let header = headers.header(of: request.path) else {
            chores.read(request.path)
            return nil
        }
        let box = decodingBox(for: request, header)
        // Only what is shown, and then taken back, is ever done of it on the loop.
        if onWorkerWanted != nil, lane(header, box) == .worker { return .zero }
        return costs.estimate(header, fitting: box)
    }

    /// Decoding on a worker, for a picture that was found to be one for that.
    public func fetch(_ request: PictureRequest) -> Fetch<DecodedPicture>? {
        guard let header = forWorkers[request] else { return nil }
        let box = decodingBox(for: request, header)
        let limits = limits
        return Fetch(cost: costs.bound(header, fitting: box)) {
            DecodedPicture(request, storing: box, header: header, limits: limits)
        }
    }

    /// The bytes of a picture's pixels.
    public func size(of picture: Picture) -> Int { picture.pixels.count }

    /// The bytes of what a worker has decoded.
    public func size(ofFetched fetched: DecodedPicture) -> Int { fetched.bytes }

    /// When a failed load is worth another try: never, if it's the file's own fault and the file is
    /// as it was; else when the failure has had its time, a few times.
    public func retry(
        _ request: PictureRequest, after error: any Error, failures count: Int
    ) -> LoadRetry {
        guard let error = error as? PictureError else { return .usual(after: error) }
        guard count < Self.tries, !error.reason.isMissing else { return .never }
        if error.reason.mayPass {
            return .after(failures.wait(for: request.path, at: loop.clock.now) ?? .seconds(1))
        }
        // It was changed while it was read: what failed is not what is there now.
        return failures.stamp(of: request.path) == FileStamp(ofFile: request.path) ? .never : .later
    }

    /// Forgets that a file gave no picture: somebody asks for it anew.
    public func forgetFailure(of path: String) {
        failures.forget(path)
    }

    /// Has memory that was freed given back to the system, in one of the next lulls.
    ///
    /// It takes 0.5 to 4 ms, so it waits for a lull that is long enough.
    public func giveMemoryBack() {
        chores.giveMemoryBack()
    }

    /// Takes back what was to be done later; nothing is called afterwards.
    public func close() {
        chores.close()
        onWorkerWanted = nil
        onLoaded = nil
    }

    /// Has a picture be one for workers when the loader asks for it again.
    ///
    /// Of those that were given up meanwhile few are remembered.
    func sendToWorker(_ request: PictureRequest, _ header: PictureHeader) {
        forWorkers.insert(header, for: request)
        if forWorkers.count > 256 { forWorkers.removeOldest() }
    }

    func cameFromWorker(_ request: PictureRequest) {
        forWorkers.remove(request)
    }

    func lane(_ header: PictureHeader, _ box: PixelSize) -> DecodingLane {
        costs.lane(for: header, fitting: box, budget: slice, isBusy: loop.mode == .tracking)
    }
}
