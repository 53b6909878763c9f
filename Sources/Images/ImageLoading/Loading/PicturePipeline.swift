public import DeferredLoading
internal import LullLibC
public import IdleLoop

/// A source of pictures for a loader: from disk, decoded from their files, or sent by a server.
///
/// ```swift
/// let source = PictureSource(on: loop)
/// let loader = DeferredLoader(queue: queue, source: source)
/// ```
///
/// A ``PictureSource`` is the pipeline of ``ShownPictures``. Other recipes have their own keys, and
/// make other values from pictures.
///
/// Without workers, everything is done on the loop, in slices that end when the next step would not
/// fit. With a pool, which must be the loader's, a worker searches the disk and reads the file, so
/// that a slow disk never blocks the loop. It also decodes the pictures that can't be cut into
/// short slices, or that would take too many of them while the loop is busy; see ``DecodingCosts``.
/// With a helper, no part of a file is decoded in this process. Pictures from a server are decoded
/// as they arrive. The values made from them aren't stored on disk: the transport may cache the
/// bytes, and knows how long they are valid.
///
/// Transient failures are retried up to four times. A failure that is the file's own fault isn't
/// retried until the file changes, and costs nothing until then; see ``FailureCache``.
///
/// **Memory.** What waits between worker and loop, pictures that arrive, and the loads in progress
/// count toward the loader's `byteLimit`. In addition, each worker holds at most one file and the memory that
/// decoding it takes.
public final class PicturePipeline<Recipe: PictureRecipe>: LoadSource {
    /// The type of the keys of pictures.
    public typealias Key = Recipe.Key
    /// The type of the values that are made from pictures.
    public typealias Value = Recipe.Value

    /// The keys, and the values that are made from their pictures.
    public let recipe: Recipe
    /// The limits on the cost of decoding a file.
    public let limits: PictureLimits
    /// The cost of decoding on this machine.
    public internal(set) var costs: DecodingCosts
    /// The files that gave no picture recently.
    public internal(set) var failures: FailureCache
    /// The counts of loads so far.
    public private(set) var statistics = PictureStatistics()
    /// A closure that returns the length of a key's file, so that its cost can be estimated before
    /// it's read; nil if the length is unknown.
    public var byteCount: ((Key) -> Int?)?
    /// A closure that is called with the key and the value of each load that succeeds.
    public var onLoaded: ((Key, Value) -> Void)?
    /// A closure that is called with the key of each picture that is shown although its file is
    /// damaged, and with the damage.
    public var onDamaged: ((Key, PictureError) -> Void)?
    /// A closure that is called with a key whose file is gone, or not the one that the key stands
    /// for.
    public var onOutdated: ((Key) -> Void)?
    /// A closure that is called when values can't be stored on disk any more, once until they can
    /// again.
    public var onDiskCacheFailure: ((DiskCacheFailure) -> Void)?
    /// A closure that is called when values can be stored again, with the failure that is over.
    public var onDiskCacheFailureEnd: ((DiskCacheFailure) -> Void)?
    /// Whether workers do all of the work and the loop none, for comparison.
    public var usesWorkersOnly = false

    /// Called with the key of a load at each of its steps on the loop.
    ///
    /// Decoding takes no virtual time: a test advances the clock here by the time of a step.
    public var onStep: ((Key) -> Void)?

    let loop: MainLoop
    let decoders: PictureDecoders
    let decoding: PictureDecoding
    let transport: (any PictureTransport)?
    let maintenance: IdleMaintenance
    private let origin: (Key) -> PictureOrigin?
    private let usesWorkers: Bool
    private let slice: Duration
    /// The headers of the files that were decoded last.
    private var headers = LRUTable<Key, PictureHeader>()
    /// The servers of the keys that were fetched last, and the lengths of their files.
    private var remotes = LRUTable<Key, (server: Int, length: Int)>()
    private var reportedFailure: DiskCacheFailure?

    /// The memory of a decoder that its loader decides about before it is taken.
    static var muchMemory: Int { 1 << 20 }

    /// The maximum number of attempts of a load.
    static var tries: Int { 5 }

    /// Creates a pipeline from keys to the values that a recipe makes from their pictures.
    ///
    /// - Parameters:
    ///   - recipe: The keys, and the values that are made from their pictures.
    ///   - loop: The loop of the loader.
    ///   - pool: The loader's workers; nil if it has none.
    ///   - decoding: The process that decodes.
    ///   - transport: The transport that fetches from servers; nil if no key needs one.
    ///   - decoders: The decoders of the supported formats.
    ///   - limits: The limits on the cost of decoding a file.
    ///   - costs: The cost of decoding, as far as it's known.
    ///   - slice: The time that a slice of the loader's queue may take.
    ///   - origin: Returns the source of a key's bytes; nil if no picture has that key.
    public init(
        _ recipe: Recipe, on loop: MainLoop, pool: WorkerPool? = nil,
        decoding: PictureDecoding = .inProcess, transport: (any PictureTransport)? = nil,
        decoders: PictureDecoders = .standard, limits: PictureLimits = PictureLimits(),
        costs: DecodingCosts = DecodingCosts(), slice: Duration = .milliseconds(2),
        origin: @escaping (Key) -> PictureOrigin?
    ) {
        self.recipe = recipe
        self.loop = loop
        self.decoding = decoding
        self.transport = transport
        self.decoders = decoders
        self.limits = limits
        self.costs = costs
        self.slice = slice
        self.origin = origin
        usesWorkers = pool != nil
        maintenance = IdleMaintenance(on: loop, pool: pool)
        failures = FailureCache(capacity: 4096)
        if recipe.keysNameStates {
            // A failure that is the file's own fault lasts as long as its key.
            let ever = Duration.seconds(1 << 32)
            failures.permanent = FailureCache.Times(first: ever, longest: ever)
        }
        if recipe.maintenance() != nil {
            maintenance.submit("maintenance", { [weak self] in self?.reportFailure() }) {
                recipe.maintenance()
            }
        }
    }

    deinit { close() }

    /// Cancels pending writes to disk; nothing is called afterwards.
    public func close() {
        maintenance.close()
        (onLoaded, onDamaged, onOutdated, onStep, byteCount) = (nil, nil, nil, nil, nil)
        (onDiskCacheFailure, onDiskCacheFailureEnd) = (nil, nil)
    }

    /// Returns freed memory to the system, in one of the next lulls.
    ///
    /// This takes 0.5 to 4 ms, so it waits for a lull that is long enough.
    public func giveMemoryBack() { maintenance.giveMemoryBack() }

    /// Finds or makes a value synchronously, as a program without lulls would.
    ///
    /// It blocks on the disk, and decodes in this process.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value.
    /// - Throws: The error if there is no value.
    public func value(of key: Key) throws -> Value {
        guard let reading = reading(key) else { throw missing(key) }
        let (value, made) = try reading.begun().value()
        if let made {
            note(made.picture, key)
            _ = try? recipe.storing(made, for: key)?.finish()
        }
        reportFailure()
        return value
    }

    // MARK: - LoadSource

    /// Returns the expected cost of making a value on the loop; nil if neither its file's header
    /// nor its length is known.
    public func cost(of key: Key) -> Duration? {
        if let header = headers[key] {
            return costs.estimate(header, fitting: recipe.decodingSize(of: key, header))
        }
        return byteCount?(key).map {
            costs.estimate(fileBytes: $0, fitting: recipe.targetSize(of: key))
        }
    }

    /// Returns the kind of a key's load: the server of its file and the file's length, or the size
    /// that it is decoded to.
    public func kind(of key: Key) -> LoadKind? {
        guard let origin = origin(key) else { return nil }
        return origin.isRemote ? transferKind(of: key, origin) : decodingKind(of: key)
    }

    /// Returns the part of a load that runs off the loop, or concurrently with it; nil if there is
    /// none, or if it's known to fail.
    public func fetch(_ key: Key) -> Fetch<FetchedPicture<Value>>? {
        guard let origin = origin(key), refusal(of: key, origin.stamp) == nil else {
            return nil
        }
        if origin.isRemote {
            guard transport != nil else { return nil }
            return Fetch(cost: .milliseconds(100) + (helperCost(of: key) ?? .zero)) {
                PictureOperation(key, origin, of: self, $0)
            }
        }
        if let cost = helperCost(of: key) {
            return Fetch(cost: cost) { PictureOperation(key, origin, of: self, $0) }
        }
        guard usesWorkers, let reading = reading(key) else { return nil }
        var cost = Duration.microseconds(200) + .nanoseconds(byteCount?(key) ?? 1 << 20)
        if let header = headers[key], belongsOnWorker(header, key) {
            cost += costs.bound(header, fitting: recipe.decodingSize(of: key, header))
        }
        return Fetch(cost: cost) { reading.begun().run() }
    }

    /// Returns the part of a load that is done on the loop.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - fetched: The result of the part before; nil if there was none.
    /// - Returns: The load.
    /// - Throws: The error if there is no picture.
    public func load(
        _ key: Key, fetched: FetchedPicture<Value>?
    ) throws -> any Load<Value> {
        guard let fetched else {
            guard let origin = origin(key) else { throw missing(key) }
            let stamp = origin.stamp
            if let error = refusal(of: key, stamp) {
                statistics.refused += 1
                throw error
            }
            guard isDecodedHere(origin) else {
                // It was refused when it was to be fetched, and its backoff has ended since.
                throw PictureError(
                    file: recipe.name(of: key), reason: .cannotRead(errno: EAGAIN))
            }
            return PictureLoad(key, origin, stamp, of: self)
        }
        switch fetched.content {
        case .failed(let error, let stamp):
            throw failed(key, error, stamp, isKnown: error.reason == .knownFailure)
        case .found(let value):
            statistics.foundInStore += 1
            return PictureLoad(given(value, key), key, of: self)
        case .made(let made, let decoding):
            statistics.decodedOnWorkers += 1
            note(made.picture, key)
            // On virtual time, every run must give the same result.
            if let header = made.header {
                let isReal = if case .monotonic = loop.clock { true } else { false }
                decoded(header, key, spent: isReal ? decoding : .zero)
                if isReal, recipe.prefersWorker(key) { learn(header, key, cost: decoding) }
            }
            reportFailure()
            return PictureLoad(given(made.value, key), key, of: self)
        case .read(let file): return PictureLoad(key, file, of: self)
        case .decoded(let picture, let stamp):
            return PictureLoad(key, picture, stamp, of: self)
        }
    }

    /// Returns the preview of a picture that is still arriving.
    public func preview(of key: Key, fetched: FetchedPicture<Value>) -> Value? {
        guard case .decoded(let picture, _) = fetched.content else { return nil }
        return recipe.preview(picture, for: key)
    }

    /// Returns the size of a value in bytes.
    public func size(of value: Value) -> Int { recipe.size(of: value) }

    /// Returns the size of a fetched part in bytes.
    public func size(ofFetched fetched: FetchedPicture<Value>) -> Int {
        switch fetched.content {
        case .found(let value): recipe.size(of: value)
        case .made(let made, _): recipe.size(of: made.value)
        case .decoded(let picture, _): picture.pixels.count
        case .read, .failed: 0
        }
    }

    /// Returns when to retry a failed load: never if it's the file's own fault and the file hasn't
    /// changed, otherwise after the backoff of the failure, a few times.
    public func retry(_ key: Key, after error: any Error, failures count: Int) -> LoadRetry {
        guard let error = error as? PictureError else {
            return .usual(after: error, failures: count)
        }
        guard count < Self.tries, !error.reason.isMissing else { return .never }
        let name = recipe.name(of: key)
        if error.reason.isTransient {
            return .after(failures.wait(for: name, at: loop.clock.now) ?? .seconds(1))
        }
        guard !recipe.keysNameStates, let origin = origin(key) else { return .never }
        // The file changed while it was read: the failure isn't that of the current file.
        return failures.stamp(of: name) == origin.stamp ? .never : .later
    }

    /// Forgets that a file gave no picture, because it's requested again.
    public func forgetFailure(of key: Key) { failures.forget(recipe.name(of: key)) }

    // MARK: - Kinds and costs of fetches

    /// Returns the kind of a transfer.
    ///
    /// A file that was fetched before may be in the transport's cache: such transfers are of another
    /// kind than others from their server.
    private func transferKind(of key: Key, _ origin: PictureOrigin) -> LoadKind {
        let known = remotes[key]
        var server = known?.server ?? 0
        if case .url(let url) = origin { server = Self.server(of: url) }
        return LoadKind(server ^ (known == nil ? 0 : 1), size: byteCount?(key) ?? known?.length)
    }

    private func decodingKind(of key: Key) -> LoadKind {
        let size = recipe.targetSize(of: key)
        return LoadKind(size.width &<< 32 ^ size.height, size: byteCount?(key))
    }

    /// Returns the time that a helper may take to decode a key's picture; nil if there is no helper.
    private func helperCost(of key: Key) -> Duration? {
        guard case .helper = decoding else { return nil }
        return cost(of: key) ?? .milliseconds(20)
    }

    /// Returns a number for the server of a URL: the FNV-1a hash of all that is before its path, with
    /// a lowest bit of zero.
    private static func server(of url: String) -> Int {
        var (hash, slashes) = (UInt64(14_695_981_039_346_656_037), 0)
        for byte in url.utf8 {
            if byte == UInt8(ascii: "/") { slashes += 1 }
            if slashes == 3 { break }
            hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
        }
        return Int(truncatingIfNeeded: hash & ~1)
    }

    /// Records the server and the length of a key's file, which has been fetched.
    func transferred(_ key: Key, from url: String, length: Int) {
        remotes.insert((Self.server(of: url), length), for: key)
        if remotes.count > 4096 { remotes.removeOldest() }
    }

    // MARK: - Parts of a load

    /// Returns the work of a worker for a key; nil if no picture has that key.
    func reading(_ key: Key) -> PictureReading<Recipe>? {
        guard let origin = origin(key) else { return nil }
        let (costs, slice, usesWorkersOnly) = (costs, slice, usesWorkersOnly)
        let isBusy = loop.mode == .tracking || recipe.prefersWorker(key)
        return PictureReading(
            recipe: recipe, key: key, origin: origin, limits: limits, decoders: decoders
        ) { header, targetSize in
            usesWorkersOnly
                ? .worker
                : costs.placement(for: header, fitting: targetSize, budget: slice, isBusy: isBusy)
        }
    }

    /// Returns whether the load itself may read and decode a key with this origin, which excludes
    /// untrusted files and pictures on servers.
    private func isDecodedHere(_ origin: PictureOrigin) -> Bool {
        if origin.isRemote { return transport == nil }
        if case .helper = decoding { return false }
        return true
    }

    /// Returns whether a worker decodes a picture with this header, if there is one.
    func belongsOnWorker(_ header: PictureHeader?, _ key: Key) -> Bool {
        guard usesWorkers, let header else { return false }
        let isBusy = loop.mode == .tracking || recipe.prefersWorker(key)
        let targetSize = recipe.decodingSize(of: key, header)
        return costs.placement(for: header, fitting: targetSize, budget: slice, isBusy: isBusy)
            == .worker
    }

    /// Throws if the steps of decoding a picture with this header are too long for a loop.
    func checkSteps(_ header: PictureHeader?, _ key: Key) throws(PictureError) {
        guard let header, header.format.needsWorker else { return }
        // With workers, one of them decodes it on the next attempt.
        throw PictureError(
            file: recipe.name(of: key),
            reason: usesWorkers
                ? .cannotRead(errno: EAGAIN) : .unsupported("\(header.format) without a worker"))
    }

    /// Returns the remembered failure of a key; the state of its file is read only if there is one.
    private func refusal(of key: Key, _ stamp: @autoclosure () -> FileStamp?) -> PictureError? {
        let name = recipe.name(of: key)
        guard failures.remembers(name) else { return nil }
        return failures.error(of: name, stamp(), at: loop.clock.now)
    }

    private func missing(_ key: Key) -> PictureError {
        failed(key, PictureError(file: recipe.name(of: key), reason: .missing), nil)
    }

    // MARK: - Results

    /// Counts a picture by where it came from.
    func count(_ counter: WritableKeyPath<PictureStatistics, Int>) {
        statistics[keyPath: counter] += 1
    }

    /// Records the header, and the time that decoding took.
    func decoded(_ header: PictureHeader, _ key: Key, spent: Duration) {
        costs.learn(header, fitting: recipe.decodingSize(of: key, header), cost: spent)
        headers.insert(header, for: key)
        if headers.count > 4096 { headers.removeOldest() }
    }

    /// Records the time that the whole load took.
    private func learn(_ header: PictureHeader, _ key: Key, cost: Duration) {
        costs.learn(fileBytes: header.fileBytes, fitting: recipe.targetSize(of: key), cost: cost)
    }

    /// Counts and reports a picture that was decoded, if its file is damaged.
    func note(_ picture: Picture, _ key: Key) {
        guard let damage = picture.damage else { return }
        statistics.damaged += 1
        onDamaged?(key, PictureError(file: recipe.name(of: key), reason: damage))
    }

    /// Records that a value was made on the loop, and stores it on disk later.
    func made(_ made: MadePicture<Value>, _ key: Key, spent: Duration) -> Value {
        statistics.decodedOnLoop += 1
        if let header = made.header { learn(header, key, cost: spent) }
        store(made, key)
        return given(made.value, key)
    }

    /// Notes damage, and stores a value on disk later, unless a server may have a different one for its key by then.
    func store(_ made: MadePicture<Value>, _ key: Key) {
        note(made.picture, key)
        guard origin(key)?.isRemote != true else { return }
        let (name, targetSize) = (recipe.name(of: key), recipe.targetSize(of: key))
        maintenance.submit(
            "store \(targetSize.width) \(targetSize.height) \(name)",
            { [weak self] in self?.reportFailure() }
        ) { [recipe] in recipe.storing(made, for: key) }
    }

    /// Reports if values can no longer be stored since the last check, or can be stored again.
    private func reportFailure() {
        let (failure, last) = (recipe.diskCacheFailure, reportedFailure)
        guard (failure == nil) != (last == nil) else { return }
        reportedFailure = failure
        if let failure { onDiskCacheFailure?(failure) }
        if failure == nil, let last { onDiskCacheFailureEnd?(last) }
    }

    /// Records that a value is available.
    func given(_ value: Value, _ key: Key) -> Value {
        if failures.count > 0 { failures.forget(recipe.name(of: key)) }
        onLoaded?(key, value)
        return value
    }

    /// Records a failure, and returns its error.
    func failed(
        _ key: Key, _ error: PictureError, _ stamp: FileStamp?, isKnown: Bool = false
    ) -> PictureError {
        let isOutdated = error.reason.isOutdated && recipe.keysNameStates
        if isOutdated { statistics.outdated += 1 } else { statistics.failed += 1 }
        if !error.reason.isMissing, error.reason != .replaced {
            failures.record(error, of: recipe.name(of: key), stamp, at: loop.clock.now)
        }
        if let stamp, !isKnown, error.reason.isOfFile, let origin = origin(key) {
            maintenance.submit("failure \(recipe.name(of: key))", {}) { [recipe] in
                SingleStep { if stamp == origin.stamp { recipe.recordFailure(of: key, stamp) } }
            }
        }
        if isOutdated { onOutdated?(key) }
        return error
    }
}

/// A source of pictures in files and on servers, shown as they are.
public typealias PictureSource = PicturePipeline<ShownPictures>

extension PicturePipeline where Recipe == ShownPictures {
    /// Creates a source of pictures in files and, with a transport, on servers.
    ///
    /// - Parameters:
    ///   - loop: The loop of the loader.
    ///   - pool: The loader's workers; nil if it has none.
    ///   - store: The thumbnails on disk; nil for none.
    ///   - decoding: The process that decodes.
    ///   - transport: The transport that fetches from servers; nil if no request needs one.
    ///   - decoders: The decoders of the supported formats.
    ///   - limits: The limits on the cost of decoding a file.
    ///   - costs: The cost of decoding, as far as it's known.
    ///   - slice: The time that a slice of the loader's queue may take.
    public convenience init(
        on loop: MainLoop, pool: WorkerPool? = nil, store: (any ThumbnailStore)? = nil,
        decoding: PictureDecoding = .inProcess, transport: (any PictureTransport)? = nil,
        decoders: PictureDecoders = .standard, limits: PictureLimits = PictureLimits(),
        costs: DecodingCosts = DecodingCosts(), slice: Duration = .milliseconds(2)
    ) {
        self.init(
            ShownPictures(store: store), on: loop, pool: pool, decoding: decoding,
            transport: transport, decoders: decoders, limits: limits, costs: costs, slice: slice
        ) { request in
            switch request.place {
            case .file(let path): .file(path)
            case .url(let url): .url(url)
            }
        }
    }
}
