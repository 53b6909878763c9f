public import IdleLoop

/// Turns what is wanted into work for lulls, and tells each result to the lists that asked for it.
///
/// ```swift
/// let loader = DeferredLoader(queue: queue, source: thumbnails)
/// let list = loader.list { row, state in
///     if let picture = state.shown { cells[row].show(picture) }
/// }
/// list.subscribe(to: row)                    // the row is in view from now on
/// list.reconcile(with: wanted)               // touch, settle, resize, cancel: always this call
/// ```
///
/// A key whose meaning has changed has another generation, and a result for an old one is never told.
/// What the queue had no room for is offered again when there is room, most urgent first. What fails
/// for a reason that may pass is tried again, later each time. What is kept is bounded: what is
/// subscribed to stays, and what nobody wants goes first. Several lists may share a loader.
///
/// The queue is the loader's own: nobody else hands jobs to it. Callbacks may call the loader, or
/// let go of it; what they ask for is done when they have returned.
public final class DeferredLoader<Key: Hashable, Value> {
    /// What a loader keeps, and what it tries again.
    public typealias Configuration = LoaderConfiguration

    typealias Entry = LoadEntry<Key, Value>
    typealias List = ListState<Key, Value>

    /// What this loader keeps.
    public let configuration: Configuration
    /// Whether it wasn't closed.
    public internal(set) var isOpen = true
    /// What loads have cost on the loop of late.
    public internal(set) var usualCost: UsualCost?
    /// How long fetches have taken of late.
    public internal(set) var usualFetch: UsualCost?
    /// Told of all that is decided about keys and becomes of them; nil costs nothing.
    public var onDecision: ((LoadDecision<Key>) -> Void)? {
        didSet { if !isOpen { onDecision = nil } }
    }

    let queue: IdleQueue<Key>
    let pool: WorkerPool?
    /// Where operations have their places, once there was one.
    var operations: OperationPool?
    private(set) var source: any LoadSource<Key, Value>
    var table: LoadTable<Key, Value>
    /// Counts all that has to be told apart or put in order.
    private var clock: UInt64 = 0

    var lists: [Int: List] = [:]
    /// Those that want something, so that a list's turns cost nothing for those that rest.
    var wantingLists: [Int: List] = [:]
    var listCount = 0
    var isShared = false
    var fairness = FairShare()

    var random: SeededNumbers
    var timer: (id: LoopTimer, instant: Instant)?
    /// When a fetch last came, or failed to.
    var fetchesMoved = Instant.zero
    var isListening = false
    var news: [Entry] = []
    var newsObserver: Observer?

    /// What has come to wait for a place in the queue, for those who want to know that it has none.
    var newlyHeld: [Entry] = []
    /// Whether the queue has turned something away that it was said to have room for; until a job
    /// ends nothing more is offered.
    var isBlocked = false
    /// Looks for room in each lull, while none of the queue's jobs is the loader's own.
    var roomObserver: Observer?

    private var depth = 0
    private var isSettling = false
    private var needsSettling = false
    private var decisions: [LoadDecision<Key>] = []
    /// What entries held, to be let go of when all is settled: somebody may be told as it goes.
    private var released: [Entry.Contents] = []

    /// A loader whose work runs in `queue` and whose fetches run on `pool`.
    ///
    /// A source that fetches needs a pool, unless all its fetches go on by themselves; without one,
    /// what is work for a worker fails as ``LoadNeedsPool``.
    public init(
        queue: IdleQueue<Key>, pool: WorkerPool? = nil, source: any LoadSource<Key, Value>,
        configuration: Configuration = .init()
    ) {
        precondition(configuration.capacity > 0, "a loader keeps at least one value")
        precondition(configuration.byteLimit.map { $0 > 0 } ?? true, "a loader keeps some bytes")
        precondition(configuration.suspended >= 0, "a count is not negative")
        precondition(configuration.operations > 0, "a loader has a place for an operation")
        precondition(
            configuration.fetchTimeout.map { $0 > .zero } ?? true, "a fetch may take some time")
        precondition(configuration.backoff.first >= .zero, "waits aren't negative")
        self.queue = queue
        self.pool = pool
        self.source = source
        self.configuration = configuration
        table = LoadTable(
            isBounded: configuration.capacity < .max || configuration.byteLimit != nil)
        let seed = configuration.backoff.seed
        random = SeededNumbers(
            seed: seed ?? (queue.clock.isVirtual ? 1 : UInt64.random(in: 0 ... .max)))
    }

    deinit {
        close()
    }

    /// Takes back all its work and lets go of all it keeps, its callbacks too; nothing is called
    /// afterwards.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        let entries = table.all
        table = LoadTable(isBounded: true)
        for list in lists.values { list.close() }
        lists = [:]
        wantingLists = [:]
        newlyHeld = []
        news = []
        decisions = []
        let given = (onDecision, source)
        defer { withExtendedLifetime(given) {} }  // which may call back as it goes
        onDecision = nil
        source = ClosedSource()
        newsObserver?.cancel()
        newsObserver = nil
        roomObserver?.cancel()
        roomObserver = nil
        timer?.id.cancel()
        timer = nil
        for entry in entries { entry.isGone = true }
        for entry in entries where entry.life.place == .queued { queue.cancel(entry.key) }
        letGo()
    }

    /// The next number.
    func tick() -> UInt64 {
        clock += 1
        return clock
    }

    /// Changes something, and then has all that comes of it happen: offers, timers, decisions told.
    ///
    /// Inside a change, and inside what it calls, nothing of that happens yet: only when all is said
    /// is it clear what comes first.
    func perform<T>(_ change: () -> T) -> T {
        beginChange()
        defer { endChange() }
        return change()
    }

    func beginChange() {
        depth += 1
        needsSettling = true
    }

    func endChange() {
        depth -= 1
        if depth == 0 { settle() }
    }

    private func settle() {
        guard !isSettling else { return }
        isSettling = true
        while needsSettling, isOpen {
            needsSettling = false
            makeRoom()
            welcomeBack()
            offer()
            awaitRoom()
            armTimer()
            tell()
            letGo()
        }
        isSettling = false
    }

    /// Lets go of what was thrown away; outside of the list of it, as it may call back as it goes.
    private func letGo() {
        let gone = released
        released = []
        withExtendedLifetime(gone) {}
    }

    /// Throws away all that was done of a key.
    func clear(_ entry: Entry) {
        released.append(entry.clear())
    }

    // MARK: - Decisions

    /// Notes a decision for those who listen, to be told when all is settled.
    func note(
        _ entry: Entry, _ kind: @autoclosure () -> LoadDecision<Key>.Kind, of list: List? = nil,
        _ reason: @autoclosure () -> String? = nil
    ) {
        guard onDecision != nil else { return }
        decisions.append(
            LoadDecision(
                time: queue.clock.now, key: entry.key, kind: kind(), list: list?.name,
                reason: reason()))
    }

    private func tell() {
        while !decisions.isEmpty, isOpen {
            let said = decisions
            decisions = []
            for decision in said { onDecision?(decision) }
        }
    }

    // MARK: - An entry's life

    /// Tells an entry what has happened, and does what comes of it.
    func handle(_ event: LoadLife.Event, _ entry: Entry) {
        guard !entry.isGone else { return }
        let place = entry.life.place
        let action = entry.life.handle(event)
        if entry.life.place != place, entry.life.place != .queued {
            entry.since = tick()
            entry.isTurnedAway = false
            if entry.life.place == .held, onDecision != nil { newlyHeld.append(entry) }
        }
        changed(entry)
        switch action {
        case .none, .hold: break
        case .reorder: reorder(entry)
        case .withdraw: withdraw(entry)
        case .suspend: limitSuspended()
        case .forget: tidy(entry)
        }
    }

    /// Takes an entry's job back.
    ///
    /// A worker that has begun its fetch goes on to the end of it, and the list that it was begun for is
    /// charged for that.
    private func withdraw(_ entry: Entry) {
        if isShared, entry.isFetching, !entry.fetchesByItself,
            let start = queue.workStart(of: entry.key)
        {
            spendFetch(max(entry.fetchCost, start.duration(to: queue.clock.now)), on: entry)
        }
        queue.cancel(entry.key)
    }

    /// An entry is another than it was.
    func changed(_ entry: Entry) {
        guard !entry.isGone else { return }
        table.refresh(entry)
        if isListening, entry.isSubscribed { hasNews(entry) }
    }

    private func reorder(_ entry: Entry) {
        guard let level = entry.level else { return }
        queue.reprioritize(entry.key, priority: level.urgency.priority, rank: level.turn)
    }

    /// Lets go of an entry that nothing is known of any more.
    func tidy(_ entry: Entry) {
        if !entry.isGone, entry.isBlank { table.remove(entry) }
    }
}

/// The source of a loader that is closed.
private struct ClosedSource<Key: Hashable, Value>: LoadSource {
    func load(_ key: Key, fetched: Never?) throws -> any Load<Value> {
        throw CancellationError()
    }
}

extension LoopClock {
    var isVirtual: Bool {
        if case .virtual = self { return true }
        return false
    }
}
