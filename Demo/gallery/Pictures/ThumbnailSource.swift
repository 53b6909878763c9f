public import DeferredLoading
public import GalleryFiles
public import IdleLoop
public import ImageLoading

/// Small pictures for a loader: from the disk cache, or made of files beneath a folder.
///
/// ```swift
/// let source = ThumbnailSource(on: loop, folder: folder, cache: cache, pool: pool) { key in
///     catalogue.entry(of: key.id).flatMap { $0.key == key ? $0.path : nil }
/// }
/// let loader = DeferredLoader(queue: queue, pool: pool, source: source)
/// ```
///
/// A worker looks into the disk cache, and if there's nothing reads the file, so that a slow disk never
/// stops the loop. Decoding and encoding are done on the loop, in slices of its lulls; what can't be
/// cut into short ones, and a large view that takes long, the worker does as well, see
/// `DecodingLane`. What was made is stored in the disk cache by a worker.
///
/// A file that isn't the one its key stands for gives nothing, and ``onChanged`` tells: it has
/// another key now. What fails for a reason that may pass is tried again up to four times; a file at
/// fault isn't, for as long as its key is the same.
///
/// **Memory.** What waits between worker and loop, and what is begun there, counts in the loader's
/// `byteLimit`. Beside that each worker of the pool holds at most one file (`limits.fileBytes`, 32 MB)
/// and what decoding it takes (`limits.decoderMemory`, 96 MB, and 6 MB of pixels), the loop one
/// decoder's work above what was reckoned, and 32 small pictures wait for the disk cache (8 MB).
public final class ThumbnailSource: LoadSource {
    /// The part that does the work off the loop.
    public let maker: ThumbnailMaker
    /// The counts of what was done so far.
    public private(set) var statistics = ThumbnailStatistics()
    /// The number of failed attempts at storing a thumbnail in the disk cache.
    public var cacheFailures: Int { maker.cache?.failures ?? 0 }
    /// Gives the length of a picture's file, so that its cost can be told; nil if nobody knows.
    public var byteCount: ((PictureKey) -> Int?)?
    /// Called with the key of each small picture that's there now, wherever it came from.
    public var onMade: ((ThumbnailKey) -> Void)?
    /// Called with a key whose file is another now, or gone.
    public var onChanged: ((PictureKey) -> Void)?
    /// Called when thumbnails can't be kept from now on, once until they can be again.
    public var onTrouble: ((CacheTrouble) -> Void)?
    /// Called when thumbnails are kept again, with the trouble that is over.
    public var onTroubleEnd: ((CacheTrouble) -> Void)?

    /// Whether workers do all of it, and the loop nothing: to compare with.
    public var usesWorkersOnly = false

    /// Called at each step on the loop, so that tests on virtual time can have it take some.
    package var onStep: ((ThumbnailKey) -> Void)?

    private let loop: MainLoop
    private let slice: Duration
    private let path: (PictureKey) -> FilePath?
    private let upkeep: DiskCacheUpkeep?
    private var costs: ThumbnailCosts
    private var failures = FailureMemory(capacity: 4096)
    private var toldTrouble: CacheTrouble?

    /// The number of tries of a load in all.
    static let tries = 5

    /// A source of small pictures.
    ///
    /// - Parameters:
    ///   - loop: The loop of the loader.
    ///   - folder: Where the files are.
    ///   - cache: Where those that were made are kept; nil for nowhere.
    ///   - pool: Whose workers put them there, and tidy up first; a disk cache needs one.
    ///   - limits: What a file may cost.
    ///   - costs: What decoding takes, as far as that is known.
    ///   - slice: How long a slice of the loader's queue may take.
    ///   - path: Where a picture is; nil if no picture has that key.
    public init(
        on loop: MainLoop, folder: PictureFolder, cache: ThumbnailDiskCache? = nil,
        pool: WorkerPool? = nil, limits: PictureLimits = PictureLimits(fileBytes: 32 << 20),
        costs: DecodingCosts = DecodingCosts(), slice: Duration = .milliseconds(2),
        path: @escaping (PictureKey) -> FilePath?
    ) {
        precondition(cache == nil || pool != nil, "a disk cache needs workers")
        maker = ThumbnailMaker(folder: folder, cache: cache, limits: limits)
        self.loop = loop
        self.slice = slice
        self.path = path
        self.costs = ThumbnailCosts(decoding: costs)
        upkeep = cache.flatMap { cache in
            pool.map { DiskCacheUpkeep(of: cache, on: loop, pool: $0) }
        }
        // The file's own fault counts as long as its key does.
        let ever = Duration.seconds(1 << 32)
        failures.lasting = FailureMemory.Times(first: ever, longest: ever)
        upkeep?.onEnd = { [weak self] in self?.tellTrouble() }
    }

    deinit {
        close()
    }

    /// Takes back what was to be stored in the disk cache; nothing is called afterwards.
    public func close() {
        upkeep?.close()
        onMade = nil
        onStep = nil
        onChanged = nil
        onTrouble = nil
        onTroubleEnd = nil
        byteCount = nil
    }

    /// Finds or makes a small picture whole, here and now, as a program without lulls would.
    ///
    /// It waits for the disk. For threads there is the ``maker``.
    ///
    /// - Parameter key: Which.
    /// - Returns: The small picture.
    /// - Throws: Why there is none, as a ``ThumbnailFailure``.
    public func thumbnail(_ key: ThumbnailKey) throws -> Thumbnail {
        guard let path = path(key.picture) else { throw ThumbnailFailure.missing }
        defer { tellTrouble() }
        return try maker.thumbnail(key, at: path)
    }

    // MARK: - What a loader asks

    /// Returns the expected cost of making a picture, a row's on the loop and a large view on a worker;
    /// nil if the length of its file isn't known.
    public func cost(of key: ThumbnailKey) -> Duration? {
        byteCount?(key.picture).map { cost(of: key.size, fileBytes: $0) }
    }

    /// Returns the expected cost of making a picture from a file of this length.
    public func cost(of kind: ThumbnailKind, fileBytes: Int) -> Duration {
        costs.estimate(kind, fileBytes: fileBytes)
    }

    /// The result of a worker's part.
    public struct Fetched: Sendable {
        let thumbnail: FetchedThumbnail
    }

    /// Returns the work of a worker; nil if it's known that nothing comes of it.
    public func fetch(_ key: ThumbnailKey) -> Fetch<Fetched>? {
        guard refusal(of: key) == nil, let path = path(key.picture) else { return nil }
        let (maker, slice) = (maker, slice)
        // A large view is one person's: its slices would keep everybody's rows waiting.
        let (costs, isBusy) = (costs.decoding, loop.mode == .tracking || key.size == .view)
        let usesWorkersOnly = usesWorkersOnly
        let bytes = byteCount?(key.picture) ?? 1 << 20
        return Fetch(cost: .microseconds(200) + .nanoseconds(bytes)) {
            let thumbnail = maker.fetch(key, at: path) { header in
                usesWorkersOnly
                    ? .worker
                    : costs.lane(
                        for: header, fitting: key.size.box, budget: slice, isBusy: isBusy)
            }
            return Fetched(thumbnail: thumbnail)
        }
    }

    /// Returns the part of a load that is done on the loop.
    ///
    /// - Parameters:
    ///   - key: Which small picture.
    ///   - fetched: What a worker brought.
    /// - Returns: The load.
    /// - Throws: Why there is no picture, as a ``ThumbnailFailure``.
    public func load(_ key: ThumbnailKey, fetched: Fetched?) throws -> any Load<Thumbnail> {
        guard let fetched else {
            statistics.refused += 1
            throw refusal(of: key) ?? .missing
        }
        switch fetched.thumbnail {
        case .failed(let failure): throw failed(key, failure)
        case .read(let picture): return ThumbnailLoad(picture, key, of: self)
        case .found(let thumbnail):
            statistics.foundOnDisk += 1
            isThere(key)
            return ThumbnailLoad(thumbnail, key, of: self)
        case .made(let thumbnail, let header, let decoding):
            statistics.madeOnWorkers += 1
            isThere(key)
            // The worker has put it in the disk cache, or couldn't.
            tellTrouble()
            // On virtual time all must be the same in each run.
            if case .monotonic = loop.clock {
                decoded(header, key, spent: decoding)
                if key.size == .view {
                    costs.learn(.view, fileBytes: header.fileBytes, cost: decoding)
                }
            }
            return ThumbnailLoad(thumbnail, key, of: self)
        }
    }

    /// Returns the bytes of the file.
    public func size(of value: Thumbnail) -> Int { value.bytes.count }

    /// Returns the bytes that a worker has brought.
    public func size(ofFetched fetched: Fetched) -> Int { fetched.thumbnail.bytes }

    /// When a failed load is worth another try: when what may pass has had its time, a few times;
    /// else never, for then the key changes first.
    public func retry(
        _ key: ThumbnailKey, after error: any Error, failures count: Int
    ) -> LoadRetry {
        guard let failure = error as? ThumbnailFailure else {
            return .usual(after: error, failures: count)
        }
        guard case .picture(let reason) = failure, reason.mayPass, count < Self.tries else {
            return .never
        }
        return .after(failures.wait(for: key.text, at: loop.clock.now) ?? .seconds(1))
    }

    /// Forgets that a file gave no picture: somebody asks for it anew.
    public func forgetFailure(of key: ThumbnailKey) {
        failures.forget(key.text)
    }

    // MARK: - What comes of it

    private func refusal(of key: ThumbnailKey) -> ThumbnailFailure? {
        guard failures.count > 0 else { return nil }
        return failures.error(of: key.text, nil, at: loop.clock.now).map { .picture($0.reason) }
    }

    /// Notes what decoding has taken.
    func decoded(_ header: PictureHeader, _ key: ThumbnailKey, spent: Duration) {
        costs.decoding.learn(header, fitting: key.size.box, cost: spent)
    }

    /// Notes that one was made on the loop, and has it stored in the disk cache.
    func made(_ thumbnail: Thumbnail, _ key: ThumbnailKey, fileBytes: Int, spent: Duration) {
        statistics.madeOnLoop += 1
        isThere(key)
        costs.learn(key.size, fileBytes: fileBytes, cost: spent)
        upkeep?.store(thumbnail, for: key)
    }

    /// Tells if thumbnails can't be kept since it was looked at last, or can be again.
    private func tellTrouble() {
        let (trouble, told) = (maker.cache?.trouble, toldTrouble)
        guard (trouble == nil) != (told == nil) else { return }
        toldTrouble = trouble
        if let trouble { onTrouble?(trouble) } else if let told { onTroubleEnd?(told) }
    }

    private func isThere(_ key: ThumbnailKey) {
        if failures.count > 0 { failures.forget(key.text) }
        onMade?(key)
    }

    /// Notes that there is no picture, and says so.
    func failed(_ key: ThumbnailKey, _ failure: ThumbnailFailure) -> ThumbnailFailure {
        if failure.isOutOfDate {
            statistics.outOfDate += 1
        } else {
            statistics.failed += 1
        }
        if case .picture(let reason) = failure {
            let error = PictureError(file: key.text, reason: reason)
            failures.note(error, of: key.text, nil, at: loop.clock.now)
        }
        if failure.isOutOfDate { onChanged?(key.picture) }
        return failure
    }
}
