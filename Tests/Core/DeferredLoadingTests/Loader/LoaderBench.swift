import DeferredLoading
import IdleLoop

/// A value that knows what it was made of.
struct Text: Equatable {
    var key: Int
    var version: Int
    var isWhole = true
}

struct Trouble: Error {}

/// A source whose texts cost what is said, come in slices, and fail on demand.
final class TextSource: LoadSource {
    let time: VirtualTime
    var slices = 1
    /// What a slice takes, by key.
    var sliceCost: (Int) -> Duration = { _ in .milliseconds(1) }
    var fetchCost: Duration?
    var pool: WorkerPool?
    /// Where fetches are operations, not work for workers.
    var operations: Operations?
    var size = 0
    /// The bytes of a load in progress, by key; nil for half of those of a value.
    var loadSize: (Int) -> Int? = { _ in nil }
    var versions: [Int: Int] = [:]
    var failing: (Int) -> Bool = { _ in false }
    /// Whether a slice of a key's load says that it waits to be resumed.
    var waits: (Int) -> Bool = { _ in false }
    var retries: LoadRetry = .never
    var refines = false
    /// Called at the end of a load.
    var onFinish: (Int, Result<Text, any Error>) -> Void = { _, _ in }
    var hint: Duration?
    /// What kind of load a key's is.
    var kind: (Int) -> WorkKind? = { _ in nil }
    /// What can be shown of a part of what is fetched.
    var preview: (Int) -> Text? = { _ in nil }
    /// Called when the size of what was fetched is asked for.
    var onArrival: () -> Void = {}
    /// Called when something is fetched or loaded.
    var onCall: (Int) -> Void = { _ in }
    private(set) var begun: [Int] = []
    private(set) var fetches: [Int] = []

    init(_ time: VirtualTime) {
        self.time = time
    }

    func forget() {
        begun = []
        fetches = []
    }

    func version(of key: Int) -> Int { versions[key, default: 1] }

    final class TextLoad: SendableLoad {
        let key: Int
        // On virtual time lanes are simulated, and everything is on one thread.
        nonisolated(unsafe) unowned let source: TextSource
        let version: Int
        nonisolated(unsafe) var done = 0

        init(_ key: Int, _ source: TextSource) {
            self.key = key
            unsafe self.source = source
            version = source.version(of: key)
        }

        func step(in slot: borrowing IdleSlot) throws -> LoadStep<Text> {
            let source = unsafe source
            source.time.charge(source.sliceCost(key))
            source.onCall(key)
            if source.failing(key) { throw Trouble() }
            if source.waits(key) { return .waiting }
            unsafe done += 1
            if unsafe done >= source.slices { return .done(Text(key: key, version: version)) }
            return source.refines
                ? .refined(Text(key: key, version: version, isWhole: false)) : .more
        }

        var share: Double? { unsafe source.refines ? Double(done) / Double(source.slices) : nil }
        var size: Int { unsafe source.loadSize(key) ?? source.size / 2 }
    }

    func cost(of key: Int) -> Duration? {
        return hint
    }

    func kind(of key: Int) -> WorkKind? { kind(key) }

    func fetch(_ key: Int) -> Fetch<Bool>? {
        guard let fetchCost else { return nil }
        fetches.append(key)
        onCall(key)
        guard let operations else { return Fetch(cost: fetchCost) { true } }
        return Fetch(cost: fetchCost) { [unowned self] completion in
            onCall(key)
            return operations.start(key, for: fetchCost, completion)
        }
    }

    func preview(of key: Int, fetched: Bool) -> Text? { preview(key) }

    func load(_ key: Int, fetched: Bool?) -> any Load<Text> {
        begun.append(key)
        onCall(key)
        return TextLoad(key, self)
    }

    func finish(
        _ key: Int, _ load: any Load<Text>, _ result: Result<Text, any Error>
    ) throws -> Text {
        onFinish(key, result)
        return try result.get()
    }

    func size(of value: Text) -> Int { size }
    func size(ofFetched fetched: Bool) -> Int {
        onArrival()
        return size / 4
    }
    func retry(_ key: Int, after error: any Error, failures: Int) -> LoadRetry { retries }
}

/// A loader of texts on virtual time, and what a list of it was told.
final class LoaderBench {
    let time = VirtualTime()
    let loop: MainLoop
    let queue: IdleQueue<Int>
    let source: TextSource
    private(set) var loader: DeferredLoader<Int, Text>!
    private(set) var list: LoadList<Int, Text>!
    /// What can be shown of keys, as the list was told last.
    var shown: [Int: Text] = [:]
    var commits: [LoadState<Text>] = []

    init(
        limit: Int = 30, workers: Int = 2, lanes: Int = 0, byThemselves: Bool = false,
        _ change: (inout LoaderConfiguration) -> Void = { _ in }
    ) throws {
        loop = try MainLoop(clock: .virtual(time))
        var settings = QueueConfiguration()
        settings.limit = limit
        settings.batch = .zero
        if lanes > 0 { settings.lanes = .atMost(lanes) }
        queue = IdleQueue(on: loop, configuration: settings)
        source = TextSource(time)
        var configuration = LoaderConfiguration()
        configuration.operations = workers
        change(&configuration)
        if byThemselves { source.operations = Operations(on: loop) }
        loader = DeferredLoader(
            queue: queue, pool: byThemselves ? nil : try WorkerPool(width: workers, on: loop),
            source: source, configuration: configuration)
        list = loader.list { [unowned self] key, state in
            shown[key] = state.shown
            commits.append(state)
        }
    }

    deinit {
        source.onCall = { _ in }
    }

    func wish(_ keys: some Sequence<Int>, _ urgency: Urgency = .visible) -> [Wanted<Int>] {
        keys.enumerated().map { Wanted($1, urgency: urgency, rank: $0) }
    }

    func want(_ keys: some Sequence<Int>, _ urgency: Urgency = .visible) {
        list.reconcile(with: wish(keys, urgency))
        check()
    }

    func check() {
        queue.checkInvariants()
        loader.checkInvariants()
    }

    func at(_ milliseconds: Int, _ body: @escaping () -> Void) {
        loop.schedule(at: .zero.advanced(by: .milliseconds(milliseconds)), body)
    }

    func run(until milliseconds: Int? = nil) throws {
        if let milliseconds {
            try loop.run(until: .zero.advanced(by: .milliseconds(milliseconds)))
        } else {
            try loop.run()
        }
        check()
    }

    /// What is there, in order.
    var loaded: [Int] { loaded(from: 0..<200) }

    func loaded(from keys: Range<Int>) -> [Int] {
        keys.filter { loader.state(of: $0).value != nil }
    }
}

/// How far a value has come, in a word.
func word(_ state: LoadState<Text>) -> String {
    switch state {
    case .placeholder: "placeholder"
    case .queued: "queued"
    case .fetching: "fetching"
    case .loading: "loading"
    case .refined: "refined"
    case .loaded: "loaded"
    case .failed(_, let next): next == nil ? "failed" : "failing"
    }
}
