public import IdleLoop

/// Turns requests for keys into work for lulls, and delivers each result to its subscribers.
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
/// A key whose content has changed gets a new generation, and a result of an old one is never
/// delivered. Jobs for which the queue had no room are offered again when there is room, the most
/// urgent first. Transient failures are retried with growing delays. The cache is bounded:
/// subscribed values stay, and unwanted ones are evicted first. Several lists may share a loader.
///
/// The queue is the loader's own: nobody else submits jobs to it. Callbacks may call the loader, or
/// release it; what they request is done when they have returned.
public final class DeferredLoader<Key: Hashable, Value> {
    typealias Entry = KeyedEntry<Key, Value>
    typealias List = ListState<Key, Value>
    typealias Event = LoadEvent

    /// The limits of this loader.
    package var configuration: LoaderConfiguration { machine.configuration }
    /// Whether it has not been closed.
    public private(set) var isOpen = true
    /// The recent cost of loads on the loop.
    package var usualCost: UsualCost? { machine.usualCost }
    /// The recent time of fetches.
    package internal(set) var usualFetch: UsualCost?
    /// The callback for all decisions about keys and the events of their loads; nil costs nothing.
    public var onDecision: ((LoadDecision<Key>) -> Void)? {
        didSet {
            if !isOpen { onDecision = nil }
            machine.tellsDecisions = onDecision != nil
        }
    }

    let queue: IdleQueue<Key>
    let pool: WorkerPool?
    /// The pool for asynchronous operations, once there was one.
    var operations: OperationPool?
    private(set) var source: any LoadSource<Key, Value>
    /// The state machine that decides what to do about keys.
    private(set) var machine: LoadMachine
    /// The entries of keys; one that is marked as gone counts as missing.
    ///
    /// Each is an `Entry`, but rules ask about each row in each frame, and a dictionary of generic
    /// objects takes several times as long.
    private var entries: [Key: LoadEntry] = [:]
    var lists: [Int: List] = [:]
    var listCount = 0

    /// Results from elsewhere for which the source is being called.
    var settlements: [(key: Key, number: Int)] = []
    var settlementCount = 0

    /// The effects that are still to be performed.
    private var effects: [LoadEffect] = []
    /// The reason for a list's requests, for decisions about them.
    private var reason: ((LoadEntry) -> String?)?
    private var isSettling = false

    var timer: (id: LoopTimer, instant: Instant)?
    /// The time at which the last fetch ended, successfully or not.
    var fetchesMoved = Instant.zero
    private var progressObserver: Observer?
    /// Whether the queue has rejected a job although it reported room; until a job ends no more are
    /// offered.
    var isBlocked = false
    /// The observer that looks for room in each lull, while none of the queue's jobs is the
    /// loader's own.
    private var roomObserver: Observer?

    /// A function that returns why a list wants a key, or doesn't.
    typealias Reason = (Key) -> String?

    /// A loader whose work runs in `queue` and whose fetches run on `pool`.
    ///
    /// A source that fetches needs a pool, unless all its fetches are asynchronous; without one, a
    /// fetch that needs a worker fails with ``LoadError/needsPool``.
    public init(
        queue: IdleQueue<Key>, pool: WorkerPool? = nil, source: any LoadSource<Key, Value>,
        configuration: LoaderConfiguration = .init()
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
        let seed = queue.clock.isVirtual ? 1 : UInt64.random(in: 0 ... .max)
        machine = LoadMachine(configuration, seed: seed)
    }

    deinit {
        close()
    }

    /// Cancels all work and releases all values and callbacks; nothing is called afterwards.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        let given = (entries, onDecision, source, effects, reason, settlements)
        defer { withExtendedLifetime(given) {} }  // their release may call back
        for list in lists.values { list.close() }
        let all = machine.table.all
        let done = all.map { $0.release() }
        defer { withExtendedLifetime(done) {} }  // some hold entries for longer
        machine = LoadMachine(configuration, seed: 0)
        lists = [:]
        entries = [:]
        effects = []
        settlements = []
        reason = nil
        onDecision = nil
        source = ClosedSource()
        progressObserver?.cancel()
        progressObserver = nil
        roomObserver?.cancel()
        roomObserver = nil
        timer?.id.cancel()
        timer = nil
        for entry in all { entry.isGone = true }
        for case let entry as Entry in all where entry.life.place == .queued {
            queue.cancel(entry.key)
        }
    }

    // MARK: - Keys

    /// Returns a key's entry; nil if it has none.
    func known(_ key: Key) -> Entry? { anyEntry(of: key) as? Entry }

    /// Returns a key's entry like ``known(_:)``, without the cost of a generic type.
    func anyEntry(of key: Key) -> LoadEntry? {
        guard let entry = entries[key], !entry.isGone else { return nil }
        return entry
    }

    /// Returns a key's entry, a new one if it has none, of which the machine must be told next.
    func entry(of key: Key) -> Entry { known(key) ?? newEntry(of: key) }

    /// Makes an entry for a key that has none.
    func newEntry(of key: Key) -> Entry {
        let entry = Entry(key)
        entries[key] = entry
        return entry
    }

    private func forget(_ entry: Entry) {
        guard let place = entries.index(forKey: entry.key), entries[place].value === entry
        else { return }
        entries.remove(at: place)
    }

    // MARK: - Events and effects

    /// Sends an event to the machine, and performs its effects.
    ///
    /// Events that occur meanwhile are processed afterwards, in their order.
    func perform(_ event: Event) {
        tell(event)
        settle()
    }

    /// Sends an event to the machine, and appends its effects to those still to be performed.
    ///
    /// `reason` returns why a list wants a key, for the decisions that result.
    func tell(_ event: Event, reason: Reason? = nil) {
        let reason = onDecision == nil ? nil : reason
        if let reason {
            effects.append(.explain { ($0 as? Entry).flatMap { reason($0.key) } })
        }
        effects += machine.handle(event, at: queue.clock.now)
        if reason != nil { effects.append(.explain(nil)) }
    }

    /// Performs effects and submits the next jobs until there is nothing more to do.
    func settle() {
        guard !isSettling else { return }
        isSettling = true
        defer { isSettling = false }
        repeat {
            while !effects.isEmpty {
                let next = effects
                effects = []
                for effect in next where isOpen { execute(effect) }
            }
        } while offerNext()
        guard isOpen else { return }
        watchForRoom()
        armTimer()
        scheduleReport()
    }

    private func execute(_ effect: LoadEffect) {
        switch effect {
        case .appraise(let entry as Entry): appraise(entry)
        case .submit(let entry as Entry): submit(entry)
        case .reorder(let entry as Entry):
            guard !entry.isGone, entry.life.place == .queued, let level = entry.level else { break }
            queue.reprioritize(entry.key, priority: level.urgency.priority, rank: level.turn)
        case .withdraw(let entry as Entry): withdraw(entry)
        case .checkFetch(let entry as Entry, let due): checkFetch(entry, due: due)
        case .commit(let entry as Entry, let version): commit(entry, version)
        case .decided(let entry as Entry, let kind, let time, let list, let why):
            let decision = LoadDecision(
                time: time, key: entry.key, kind: kind, list: list, reason: why)
            tell(decision, of: entry)
        case .forget(let entry as Entry): forget(entry)
        case .explain(let reason): self.reason = reason
        case .release: break  // the object is released with the effect
        default: break  // every entry is this loader's own
        }
    }

    private func tell(_ decision: LoadDecision<Key>, of entry: Entry) {
        guard onDecision != nil else { return }
        var decision = decision
        if decision.list != nil, let reason { decision.reason = reason(entry) }
        if case .unwanted(.none) = decision.kind, let start = queue.workStart(of: decision.key) {
            decision.kind = .unwanted(.fetching(since: start))
        }
        onDecision?(decision)
    }

    /// Determines whether an unwanted load is nearly done.
    private func appraise(_ entry: Entry) {
        let isNearlyDone = isNearlyDone(entry)
        perform(.appraised(entry, isNearlyDone: isNearlyDone, progress(of: entry, entry.key)))
    }

    private func isNearlyDone(_ entry: Entry) -> Bool {
        guard let least = configuration.nearlyDone, entry.life.place == .queued else {
            return false
        }
        switch progress(of: entry, entry.key) {
        case .fetching(let start):
            if entry.fetchesByItself, let share = entry.operation?.share { return share >= least }
            guard let usual = usualFetch?.mean, usual > .zero else { return false }
            return start.duration(to: queue.clock.now) / usual >= least
        case .begun(let spent):
            if let share = entry.contents?.load?.share { return share >= least }
            guard let cost = source.cost(of: entry.key) ?? usualCost?.mean, cost > .zero else {
                return false
            }
            return spent / cost >= least
        case .none, .fetched, .settled: return false
        }
    }

    /// Cancels an entry's job.
    ///
    /// A worker that has begun its fetch finishes it, and the list for which it was begun is
    /// charged for it.
    private func withdraw(_ entry: Entry) {
        guard !entry.isGone, entry.life.place == .queued, entry.life.isWithdrawn else { return }
        if entry.isFetching, !entry.fetchesByItself, let start = queue.workStart(of: entry.key) {
            let cost = max(entry.fetchCost, start.duration(to: queue.clock.now))
            perform(.fetchAbandoned(entry, cost))
        }
        queue.cancel(entry.key)
    }

    // MARK: - Waiting

    /// Looks for room again after the loop has worked, while only others' jobs fill the queue:
    /// their ends aren't reported.
    private func watchForRoom() {
        let isWaiting = machine.next != nil && machine.table.tally.queued == 0
        guard isWaiting != (roomObserver != nil), !queue.loop.isClosed else { return }
        roomObserver?.cancel()
        roomObserver = nil
        guard isWaiting, queue.isAccepting else { return }
        roomObserver = queue.loop.observe(.beforeIdle) { [weak self] _ in
            self?.isBlocked = false
            self?.settle()
        }
    }

    /// Arms the one timer for the earliest deadline: a wanted key's retry, or the time limit of a
    /// fetch.
    private func armTimer() {
        let next = machine.table.nextDeadline?.instant
        guard next != timer?.instant else { return }
        timer?.id.cancel()
        timer = nil
        guard let next, !queue.loop.isClosed else { return }
        let id = queue.loop.schedule(at: next) { [weak self] in
            self?.timer = nil
            self?.perform(.timer)
        }
        timer = (id, next)
    }

    /// Schedules a progress report to lists, before idle.
    private func scheduleReport() {
        guard !machine.progressed.isEmpty, progressObserver == nil, !queue.loop.isClosed else {
            return
        }
        progressObserver = queue.loop.observe(.beforeIdle, repeats: false) { [weak self] _ in
            self?.progressObserver = nil
            self?.reportProgress()
            self?.settle()
        }
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
