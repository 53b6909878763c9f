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
/// The way of every picture is one: its bytes are decoded, and a value is made from them, in steps;
/// where these are done is a question of ``PictureDecoding``. Without workers, everything is done in
/// slices that end when the next step would not fit: anywhere, if the loader's queue has lanes, else on
/// the loop. With a pool, which its loader uses, too, a worker searches the disk and reads the file, so
/// that a slow disk never blocks the loop. It also decodes the pictures that can't be cut into short
/// slices, or that would take too many of them while the loop is busy. With a helper, no part of a file
/// is decoded in this process. Pictures from a server are decoded as they arrive. The values made from
/// them aren't stored on disk: the transport may cache the bytes, and knows how long they are valid.
///
/// Transient failures are retried after the loader's backoff. A failure that is the file's own fault isn't
/// retried until the file changes, or for a minute and then up to an hour, and costs nothing until
/// then.
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
    /// The place where pictures are decoded.
    public let decoding: PictureDecoding
    /// The workers that read and decode files, which its loader uses, too; nil for none.
    public let pool: WorkerPool?
    /// The counts of loads so far.
    public internal(set) var statistics = PictureStatistics()
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
    /// Called on virtual time with the key of a load at each of its steps.
    ///
    /// Decoding takes no virtual time: a test advances the clock here by the time of a step.
    public var onStep: ((Key) -> Void)? {
        get { unsafe stepHook.body }
        set { unsafe stepHook.body = newValue }
    }

    private let stepHook: PictureStepHook<Key>
    /// Whether workers do what is theirs.
    var hasWorkers: Bool { pool != nil }
    let transport: (any PictureTransport)?
    let maintenance: IdleMaintenance
    /// What is known of the pictures that were loaded.
    var history: PictureHistory<Recipe>
    /// The files that gave no picture recently.
    var failures: FailureCache
    private let loop: MainLoop
    private let decoders: PictureDecoders
    private let origin: (Key) -> PictureOrigin?
    private var reportedFailure: DiskCacheFailure?

    /// Creates a pipeline from keys to the values that a recipe makes from their pictures.
    ///
    /// - Parameters:
    ///   - recipe: The keys, and the values that are made from their pictures.
    ///   - loop: The loop of the loader.
    ///   - pool: The workers that read and decode files, which its loader uses, too; nil for none.
    ///   - decoding: The place where pictures are decoded.
    ///   - transport: The transport that fetches from servers; nil if no key needs one.
    ///   - decoders: The decoders of the supported formats.
    ///   - limits: The limits on the cost of decoding a file.
    ///   - origin: Returns the source of a key's bytes; nil if no picture has that key.
    public init(
        _ recipe: Recipe, on loop: MainLoop, pool: WorkerPool? = nil,
        decoding: PictureDecoding = .inProcess, transport: (any PictureTransport)? = nil,
        decoders: PictureDecoders = .standard, limits: PictureLimits = PictureLimits(),
        origin: @escaping (Key) -> PictureOrigin?
    ) {
        self.recipe = recipe
        self.loop = loop
        self.decoding = decoding
        self.transport = transport
        self.decoders = decoders
        self.limits = limits
        self.origin = origin
        self.pool = pool
        stepHook = PictureStepHook(isVirtual: loop.clock.isVirtual)
        history = PictureHistory(recipe)
        maintenance = IdleMaintenance(on: loop, pool: pool)
        failures = FailureCache(capacity: 4096, forgets: !recipe.keysNameStates)
        if let store = recipe.store, store.maintenance() != nil {
            maintenance.submit("maintenance", { [weak self] in self?.reportFailure() }) {
                store.maintenance()
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
        guard var task = task(key) else { throw missing(key) }
        task.givesPreviews = false
        let sequence = PictureSequence(task)
        let value = try sequence.finish()
        if let made = sequence.made(value) {
            note(made.picture, key)
            _ = try? task.storing(made)?.finish()
        }
        reportFailure()
        return value
    }

    // MARK: - LoadSource

    /// Returns the expected cost of making a value on the loop; nil if neither its file's header
    /// nor its length is known.
    public func cost(of key: Key) -> Duration? {
        history.cost(of: key, byteCount: byteCount?(key))
    }

    /// Returns the kind of a key's load: the server of its file and the file's length, or the size
    /// that it is decoded to.
    public func kind(of key: Key) -> WorkKind? {
        origin(key).map { history.kind(of: key, $0, byteCount: byteCount?(key)) }
    }

    /// Returns the part of a load that runs off the loop, or concurrently with it; nil if there is
    /// none, or if it's known to fail.
    public func fetch(_ key: Key) -> Fetch<FetchedPicture<Value>>? {
        guard let task = task(key), refusal(of: key, task.origin.stamp) == nil else { return nil }
        if task.origin.isRemote {
            guard transport != nil else { return nil }
            return Fetch(cost: .milliseconds(100) + (helperCost(of: key) ?? .zero)) {
                PictureOperation(task, of: self, $0)
            }
        }
        if let cost = helperCost(of: key) {
            return Fetch(cost: cost) { PictureOperation(task, of: self, $0) }
        }
        guard hasWorkers else { return nil }
        let cost =
            .microseconds(200) + .nanoseconds(byteCount?(key) ?? 1 << 20)
            + history.workerCost(of: key, in: task.places)
        return Fetch(cost: cost) { task.run() }
    }

    /// Returns the part of a load that is done in slices, on the loop or anywhere.
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
            guard let task = task(key) else { throw missing(key) }
            if let error = refusal(of: key, task.origin.stamp) {
                statistics.refused += 1
                throw error
            }
            // It was refused when it was to be fetched, and its backoff has ended since.
            guard isDecodedHere(task.origin) else { throw task.error(.cannotRead(errno: EAGAIN)) }
            return self.load(PictureSequence(task))
        }
        switch fetched.content {
        case .failed(let error, let stamp): throw failed(key, error, stamp)
        case .found(let value):
            statistics.foundInStore += 1
            return GivenLoad(given(value, key))
        case .made(let made, let decoding):
            statistics.decodedOnWorkers += 1
            note(made.picture, key)
            // On virtual time, every run must give the same result.
            let isReal = if case .monotonic = loop.clock { true } else { false }
            let time = isReal ? decoding : .zero
            history.learn(
                made.header, key, decoding: time,
                spent: recipe.prefersWorker(key) ? time : .zero)
            reportFailure()
            return GivenLoad(given(made.value, key))
        case .origin(let origin, let stamp):
            let task = task(key, origin, stamp)
            return self.load(.decoding(task))
        case .decoded(let picture, let stamp):
            // By now there may be no picture of that key any more.
            let task = task(key, origin(key) ?? .bytes([]), stamp)
            return self.load(.making(task, from: picture))
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
        case .origin, .failed: 0
        }
    }

    /// Returns when to retry a failed load: never if it's the file's own fault and the file hasn't
    /// changed, otherwise after the loader's backoff.
    public func retry(_ key: Key, after error: any Error, failures count: Int) -> LoadRetry {
        guard let error = error as? PictureError else {
            return .usual(after: error, failures: count)
        }
        if error.reason.isTransient { return .later }
        guard !error.reason.isMissing, !recipe.keysNameStates, let origin = origin(key) else {
            return .never
        }
        // The file changed while it was read: the failure isn't that of the current file.
        return failures.stamp(of: recipe.name(of: key)) == origin.stamp ? .never : .later
    }

    /// Forgets that a key failed, unless that is the fault of its file as it is.
    public func forgetFailure(of key: Key) {
        let name = recipe.name(of: key)
        if failures.stamp(of: name) == nil { failures.forget(name) }
    }

    // MARK: - Parts of a load

    /// Returns the time that a helper may take to decode a key's picture; nil if there is no helper.
    private func helperCost(of key: Key) -> Duration? {
        guard case .helper = decoding else { return nil }
        return cost(of: key) ?? .milliseconds(20)
    }

    /// Returns the way of a key's picture; nil if no picture has that key.
    private func task(_ key: Key) -> PictureTask<Recipe>? {
        origin(key).map { task(key, $0, nil) }
    }

    private func task(
        _ key: Key, _ origin: PictureOrigin, _ stamp: FileStamp?
    ) -> PictureTask<Recipe> {
        PictureTask(
            recipe: recipe, key: key, origin: origin, limits: limits, decoders: decoders,
            places: places(key), stamp: stamp)
    }

    /// The places of pictures as things are now.
    private func places(_ key: Key) -> PicturePlaces {
        let only: PicturePlace? =
            switch decoding {
            case .inProcess: nil
            case .workers: hasWorkers ? .worker : nil
            case .helper: .helper
            }
        return PicturePlaces(
            only: only, hasWorkers: hasWorkers,
            isBusy: loop.mode == .tracking || recipe.prefersWorker(key), costs: history.costs)
    }

    /// Returns whether the load itself may read and decode a key with this origin, which excludes
    /// untrusted files and pictures on servers.
    private func isDecodedHere(_ origin: PictureOrigin) -> Bool {
        if origin.isRemote { return transport == nil }
        if case .helper = decoding { return false }
        return true
    }

    /// Returns whether a worker is to do the next steps of a picture, if there is one.
    func belongsOnWorker(_ sequence: PictureSequence<Recipe>) -> Bool {
        hasWorkers && sequence.place(in: places(sequence.task.key)) == .worker
    }

    /// Returns the steps of a picture, as slices.
    func slices(_ sequence: PictureSequence<Recipe>) -> PictureSlices<Recipe> {
        PictureSlices(sequence, hasWorkers: hasWorkers, onStep: stepHook)
    }

    private func load(_ sequence: sending PictureSequence<Recipe>) -> PictureLoad<Recipe> {
        PictureLoad(sequence, hasWorkers: hasWorkers, onStep: stepHook)
    }

    /// Returns the remembered failure of a key; the state of its file is read only if there is one.
    private func refusal(of key: Key, _ stamp: @autoclosure () -> FileStamp?) -> PictureError? {
        failures.error(of: recipe.name(of: key), stamp(), at: loop.clock.now)
    }

    private func missing(_ key: Key) -> PictureError {
        failed(key, PictureError(file: recipe.name(of: key), reason: .missing), nil)
    }

    // MARK: - Results

    /// Counts and reports a picture that was decoded, if its file is damaged.
    private func note(_ picture: Picture, _ key: Key) {
        guard let damage = picture.damage else { return }
        statistics.damaged += 1
        onDamaged?(key, PictureError(file: recipe.name(of: key), reason: damage))
    }

    /// Records the end of a load in slices: that of a value is stored on disk later.
    public func finish(
        _ key: Key, _ load: any Load<Value>, _ result: Result<Value, any Error>
    ) throws -> Value {
        guard let load = load as? PictureLoad<Recipe> else { return try result.get() }
        let record = load.record
        let value: Value
        do {
            value = try result.get()
        } catch let error as PictureError {
            throw failed(key, error, record.stamp)
        }
        if let (picture, header) = record.made {
            if header != nil { statistics.decodedInSlices += 1 }
            history.learn(header, key, decoding: record.decoding, spent: record.spent)
            store(
                MadePicture(value: value, picture: picture, header: header, stamp: record.stamp),
                of: key)
        } else {
            statistics.foundInStore += 1
        }
        return given(value, key)
    }

    /// Notes damage, and stores a value on disk later, unless a server may have a different one for
    /// its key by then.
    private func store(_ made: MadePicture<Value>, of key: Key) {
        note(made.picture, key)
        guard !made.picture.isDamaged, let store = recipe.store,
            origin(key)?.isRemote == false
        else { return }
        let targetSize = recipe.targetSize(of: key)
        maintenance.submit(
            "store \(targetSize.width) \(targetSize.height) \(recipe.name(of: key))",
            { [weak self] in self?.reportFailure() }
        ) { store.writer(of: made, for: key) }
    }

    /// Reports if values can no longer be stored since the last check, or can be stored again.
    private func reportFailure() {
        let (failure, last) = (recipe.store?.failure, reportedFailure)
        guard (failure == nil) != (last == nil) else { return }
        reportedFailure = failure
        if let failure { onDiskCacheFailure?(failure) }
        if failure == nil, let last { onDiskCacheFailureEnd?(last) }
    }

    /// Records that a value is available.
    private func given(_ value: Value, _ key: Key) -> Value {
        if failures.count > 0 { failures.forget(recipe.name(of: key)) }
        onLoaded?(key, value)
        return value
    }

    /// Records a failure, and returns its error.
    func failed(_ key: Key, _ error: PictureError, _ stamp: FileStamp?) -> PictureError {
        let isOutdated = error.reason.isOutdated && recipe.keysNameStates
        if isOutdated { statistics.outdated += 1 } else { statistics.failed += 1 }
        if !error.reason.isTransient, !error.reason.isOutdated {
            failures.record(error, of: recipe.name(of: key), stamp, at: loop.clock.now)
        }
        if let stamp, error.reason != .knownFailure, error.reason.isOfFile,
            let origin = origin(key)
        {
            maintenance.submit("failure \(recipe.name(of: key))", {}) { [recipe] in
                stamp == origin.stamp ? recipe.store?.failureWriter(of: key, stamp) : nil
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
    ///   - pool: The workers that read and decode files, which its loader uses, too; nil for none.
    ///   - store: The thumbnails on disk; nil for none.
    ///   - decoding: The place where pictures are decoded.
    ///   - transport: The transport that fetches from servers; nil if no request needs one.
    ///   - decoders: The decoders of the supported formats.
    ///   - limits: The limits on the cost of decoding a file.
    public convenience init(
        on loop: MainLoop, pool: WorkerPool? = nil,
        store: (any PictureStore<PictureRequest, Picture>)? = nil,
        decoding: PictureDecoding = .inProcess, transport: (any PictureTransport)? = nil,
        decoders: PictureDecoders = .standard, limits: PictureLimits = PictureLimits()
    ) {
        self.init(
            ShownPictures(store: store), on: loop, pool: pool, decoding: decoding,
            transport: transport, decoders: decoders, limits: limits
        ) { request in
            request.isRemote ? .url(request.name) : .file(request.name)
        }
    }
}
