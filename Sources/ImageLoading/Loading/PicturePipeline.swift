public import DeferredLoading
internal import Glibc
public import IdleLoop

/// Pictures for a loader: from disk, or decoded from their files, or from what a server sends.
///
/// ```swift
/// let source = PictureSource(on: loop)
/// let loader = DeferredLoader(queue: queue, source: source)
/// ```
///
/// A ``PictureSource`` is the pipeline of ``ShownPictures``; other recipes have their own keys, and
/// make other values of pictures.
///
/// Without workers all is done on the loop, in slices that end when the next step would be too long
/// for them. With a pool, which must be the loader's, a worker looks at the disk and reads the file, so
/// that a slow disk never stops the loop, and does the whole where that can't be cut into short slices,
/// or would take too many of them while the loop is busy; see ``DecodingCosts``. With a helper nothing
/// of a file is decoded in this process. Pictures from a server are decoded as they arrive; what is made
/// of them isn't kept on disk, as its transport may keep the bytes and knows for how long they're right.
///
/// Failures for a reason that may pass are tried again up to four times; the file's own fault isn't,
/// until the file changes, and costs nothing until then, see ``FailureMemory``.
///
/// **Memory.** What waits between worker and loop, and what is begun there, counts in the loader's
/// `byteLimit`. Beside that each worker holds at most one file and what decoding it takes.
public final class PicturePipeline<Recipe: PictureRecipe>: LoadSource {
    /// The type of the names of pictures.
    public typealias Key = Recipe.Key
    /// The type of what is made of them.
    public typealias Value = Recipe.Value

    /// The keys, and what is made of their pictures.
    public let recipe: Recipe
    /// The most that a file may cost.
    public let limits: PictureLimits
    /// The cost of decoding on this machine.
    public internal(set) var costs: DecodingCosts
    /// The files that gave no picture of late.
    public internal(set) var failures: FailureMemory
    /// The counts of what was done so far.
    public internal(set) var statistics = PictureStatistics()
    /// Gives the length of a key's file, so that its cost can be told before it's read; nil if nobody
    /// knows.
    public var byteCount: ((Key) -> Int?)?
    /// Called with the key of each value that's there now, in whatever way, and the value.
    public var onLoaded: ((Key, Value) -> Void)?
    /// Called with a key whose file isn't the one that it stands for, or is gone.
    public var onOutdated: ((Key) -> Void)?
    /// Called when nothing can be kept on disk from now on, once until something can again.
    public var onTrouble: ((DiskCacheTrouble) -> Void)?
    /// Called when values are kept again, with the trouble that is over.
    public var onTroubleEnd: ((DiskCacheTrouble) -> Void)?
    /// Whether workers do all of the work, and the loop nothing: to compare with.
    public var usesWorkersOnly = false

    /// Called at each step on the loop, so that tests on virtual time can have it take some.
    package var onStep: ((Key) -> Void)?

    let loop: MainLoop
    let decoders: PictureDecoders
    let decoding: PictureDecoding
    let transport: (any PictureTransport)?
    let upkeep: PictureUpkeep
    let origin: (Key) -> PictureOrigin?
    private let usesWorkers: Bool
    private let slice: Duration
    /// Headers of the files that were decoded last.
    private var headers = RecencyTable<Key, PictureHeader>()
    private var toldTrouble: DiskCacheTrouble?

    /// The number of tries of a load in all.
    static var tries: Int { 5 }

    /// A pipeline from keys to what a recipe makes of their pictures.
    ///
    /// - Parameters:
    ///   - recipe: The keys, and what is made of their pictures.
    ///   - loop: The loop of the loader.
    ///   - pool: The loader's workers; nil if it has none.
    ///   - decoding: The process that decodes.
    ///   - transport: What fetches from servers; nil if no key is there.
    ///   - decoders: The kinds of pictures that are read.
    ///   - limits: The most that a file may cost.
    ///   - costs: The cost of decoding, as far as that is known.
    ///   - slice: The time that a slice of the loader's queue may take.
    ///   - origin: Gives the bytes of a key's picture; nil if no picture has that key.
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
        upkeep = PictureUpkeep(on: loop, pool: pool)
        failures = FailureMemory(capacity: 4096)
        if recipe.keysNameStates {
            // The file's own fault counts as long as its key does.
            let ever = Duration.seconds(1 << 32)
            failures.lasting = FailureMemory.Times(first: ever, longest: ever)
        }
        if recipe.upkeep() != nil {
            upkeep.submit("upkeep", { [weak self] in self?.tellTrouble() }) { recipe.upkeep() }
        }
    }

    deinit { close() }

    /// Takes back what was to be kept on disk; nothing is called afterwards.
    public func close() {
        upkeep.close()
        (onLoaded, onOutdated, onStep, byteCount) = (nil, nil, nil, nil)
        (onTrouble, onTroubleEnd) = (nil, nil)
    }

    /// Returns memory that was freed to the system, in one of the next lulls.
    ///
    /// It takes 0.5 to 4 ms, so it waits for a lull that is long enough.
    public func giveMemoryBack() { upkeep.giveMemoryBack() }

    /// Lets go of the values that wait to be kept on disk: they are made again one day.
    public func cancelStores() { upkeep.cancelStores() }

    /// Finds or makes a value whole, here and now, as a program without lulls would.
    ///
    /// It waits for the disk, and decodes in this process.
    ///
    /// - Parameter key: Which.
    /// - Returns: The value.
    /// - Throws: Why there is none.
    public func value(of key: Key) throws -> Value {
        guard let reading = reading(key) else { throw missing(key) }
        let (value, made) = try reading.begun().value()
        if let made, let writer = recipe.writer(of: made, for: key) { _ = try? writer.finish() }
        tellTrouble()
        return value
    }

    // MARK: - What a loader asks

    /// Returns the expected cost of making a value on the loop; nil if neither its file's header nor
    /// its length is known.
    public func cost(of key: Key) -> Duration? {
        if let header = headers[key] {
            return costs.estimate(header, fitting: recipe.decodingBox(of: key, header))
        }
        return byteCount?(key).map { costs.estimate(fileBytes: $0, fitting: recipe.box(of: key)) }
    }

    /// Returns what is done off the loop, or goes on beside it; nil if there is nothing, or if it's
    /// known that nothing comes of it.
    public func fetch(_ key: Key) -> Fetch<FetchedPicture<Value>>? {
        guard let origin = origin(key), refusal(of: key, origin.stamp) == nil else {
            return nil
        }
        if origin.isRemote {
            guard transport != nil else { return nil }
            return Fetch(cost: .milliseconds(100)) { PictureOperation(key, origin, of: self, $0) }
        }
        if case .helper = decoding {
            return Fetch(cost: cost(of: key) ?? .milliseconds(20)) {
                PictureOperation(key, origin, of: self, $0)
            }
        }
        guard usesWorkers, let reading = reading(key) else { return nil }
        var cost = Duration.microseconds(200) + .nanoseconds(byteCount?(key) ?? 1 << 20)
        if let header = headers[key], belongsOnWorker(header, key) {
            cost += costs.bound(header, fitting: recipe.decodingBox(of: key, header))
        }
        return Fetch(cost: cost) { reading.begun().run() }
    }

    /// Returns the part of a load that is done on the loop.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - fetched: What was done before; nil if nothing was.
    /// - Returns: The load.
    /// - Throws: Why there is no picture.
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
                // It was refused as it was to be fetched, and has had its time just now.
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
            // On virtual time all must be the same in each run.
            if let header = made.header {
                let isReal = if case .monotonic = loop.clock { true } else { false }
                decoded(header, key, spent: isReal ? decoding : .zero)
                if isReal, recipe.prefersWorker(key) { learn(header, key, cost: decoding) }
            }
            tellTrouble()
            return PictureLoad(given(made.value, key), key, of: self)
        case .read(let file): return PictureLoad(key, file, of: self)
        case .decoded(let picture, let stamp):
            return PictureLoad(key, picture, stamp, of: self)
        }
    }

    /// Returns the preview that an arriving picture gave.
    public func preview(of key: Key, fetched: FetchedPicture<Value>) -> Value? {
        guard case .decoded(let picture, _) = fetched.content else { return nil }
        return recipe.preview(picture, for: key)
    }

    /// Returns the bytes of a value.
    public func size(of value: Value) -> Int { recipe.size(of: value) }

    /// Returns the bytes of what was fetched.
    public func size(ofFetched fetched: FetchedPicture<Value>) -> Int {
        switch fetched.content {
        case .found(let value): recipe.size(of: value)
        case .made(let made, _): recipe.size(of: made.value)
        case .decoded(let picture, _): picture.pixels.count
        case .read, .failed: 0
        }
    }

    /// When a failed load is worth another try: never, if it's the file's own fault and the file is
    /// as it was; else when the failure has had its time, a few times.
    public func retry(_ key: Key, after error: any Error, failures count: Int) -> LoadRetry {
        guard let error = error as? PictureError else {
            return .usual(after: error, failures: count)
        }
        guard count < Self.tries, !error.reason.isMissing else { return .never }
        let name = recipe.name(of: key)
        if error.reason.mayPass {
            return .after(failures.wait(for: name, at: loop.clock.now) ?? .seconds(1))
        }
        guard !recipe.keysNameStates, let origin = origin(key) else { return .never }
        // It was changed while it was read: what failed is not what is there now.
        return failures.stamp(of: name) == origin.stamp ? .never : .later
    }

    /// Forgets that a file gave no picture: somebody asks for it anew.
    public func forgetFailure(of key: Key) { failures.forget(recipe.name(of: key)) }

    // MARK: - The parts of a load

    /// The work of a worker; nil if no picture has that key.
    func reading(_ key: Key) -> PictureReading<Recipe>? {
        guard let origin = origin(key) else { return nil }
        let (costs, slice, usesWorkersOnly) = (costs, slice, usesWorkersOnly)
        let isBusy = loop.mode == .tracking || recipe.prefersWorker(key)
        return PictureReading(
            recipe: recipe, key: key, origin: origin, limits: limits, decoders: decoders
        ) { header, box in
            usesWorkersOnly
                ? .worker : costs.lane(for: header, fitting: box, budget: slice, isBusy: isBusy)
        }
    }

    /// Whether a key with this origin may be read and decoded by the load itself: nothing of a
    /// stranger's file is, nor what is on a server.
    private func isDecodedHere(_ origin: PictureOrigin) -> Bool {
        if origin.isRemote { return transport == nil }
        if case .helper = decoding { return false }
        return true
    }

    /// Whether a picture with such a header is decoded by a worker, if there is one.
    func belongsOnWorker(_ header: PictureHeader?, _ key: Key) -> Bool {
        guard usesWorkers, let header else { return false }
        let isBusy = loop.mode == .tracking || recipe.prefersWorker(key)
        let box = recipe.decodingBox(of: key, header)
        return costs.lane(for: header, fitting: box, budget: slice, isBusy: isBusy) == .worker
    }

    /// Throws if a picture with such a header has steps that are too long for a loop.
    func checkSteps(_ header: PictureHeader?, _ key: Key) throws(PictureError) {
        guard let header, header.format.needsWorker else { return }
        // Where there are workers, one takes it the next time.
        throw PictureError(
            file: recipe.name(of: key),
            reason: usesWorkers
                ? .cannotRead(errno: EAGAIN) : .unsupported("\(header.format) without a worker"))
    }

    /// The failure that is remembered of a key; the state of its file is looked at only if there is one.
    private func refusal(of key: Key, _ stamp: @autoclosure () -> FileStamp?) -> PictureError? {
        let name = recipe.name(of: key)
        guard failures.remembers(name) else { return nil }
        return failures.error(of: name, stamp(), at: loop.clock.now)
    }

    private func missing(_ key: Key) -> PictureError {
        failed(key, PictureError(file: recipe.name(of: key), reason: .missing), nil)
    }

    // MARK: - What comes of it

    /// Notes what decoding has taken, and the header.
    func decoded(_ header: PictureHeader, _ key: Key, spent: Duration) {
        costs.learn(header, fitting: recipe.decodingBox(of: key, header), cost: spent)
        headers.insert(header, for: key)
        if headers.count > 4096 { headers.removeOldest() }
    }

    /// Notes what all of a load has taken.
    private func learn(_ header: PictureHeader, _ key: Key, cost: Duration) {
        costs.learn(fileBytes: header.fileBytes, fitting: recipe.box(of: key), cost: cost)
    }

    /// Notes that a value was made on the loop, and keeps it on disk later.
    func made(_ made: MadePicture<Value>, _ key: Key, spent: Duration) -> Value {
        statistics.decodedOnLoop += 1
        if let header = made.header { learn(header, key, cost: spent) }
        store(made, key)
        return given(made.value, key)
    }

    /// Keeps a value on disk, later, unless a server may have another for its key then.
    func store(_ made: MadePicture<Value>, _ key: Key) {
        guard origin(key)?.isRemote != true else { return }
        let (name, box) = (recipe.name(of: key), recipe.box(of: key))
        upkeep.submit(
            PictureUpkeep.storing + "\(box.width) \(box.height) \(name)",
            { [weak self] in self?.tellTrouble() }
        ) { [recipe] in recipe.writer(of: made, for: key) }
    }

    /// Tells if values can't be kept since it was looked at last, or can be again.
    private func tellTrouble() {
        let (trouble, told) = (recipe.trouble, toldTrouble)
        guard (trouble == nil) != (told == nil) else { return }
        toldTrouble = trouble
        if let trouble { onTrouble?(trouble) } else if let told { onTroubleEnd?(told) }
    }

    /// Notes that a value is there.
    func given(_ value: Value, _ key: Key) -> Value {
        if failures.count > 0 { failures.forget(recipe.name(of: key)) }
        onLoaded?(key, value)
        return value
    }

    /// Notes that there is no picture, and says so.
    func failed(
        _ key: Key, _ error: PictureError, _ stamp: FileStamp?, isKnown: Bool = false
    ) -> PictureError {
        let isOutdated = error.reason.isOutdated && recipe.keysNameStates
        if isOutdated { statistics.outdated += 1 } else { statistics.failed += 1 }
        if !error.reason.isMissing, error.reason != .replaced {
            failures.note(error, of: recipe.name(of: key), stamp, at: loop.clock.now)
        }
        if let stamp, !isKnown, error.reason.isOfFile, let origin = origin(key) {
            upkeep.submit("failure \(recipe.name(of: key))", {}) { [recipe] in
                SingleStep { if stamp == origin.stamp { recipe.noteFailure(of: key, stamp) } }
            }
        }
        if isOutdated { onOutdated?(key) }
        return error
    }
}

/// Pictures in files and on servers, as they are shown.
public typealias PictureSource = PicturePipeline<ShownPictures>

extension PicturePipeline where Recipe == ShownPictures {
    /// A source of pictures in files, and on servers if it has a transport.
    ///
    /// - Parameters:
    ///   - loop: The loop of the loader.
    ///   - pool: The loader's workers; nil if it has none.
    ///   - store: The thumbnails on disk; nil for none.
    ///   - decoding: The process that decodes.
    ///   - transport: What fetches from servers; nil if no request is for one.
    ///   - decoders: The kinds of pictures that are read.
    ///   - limits: The most that a file may cost.
    ///   - costs: The cost of decoding, as far as that is known.
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
