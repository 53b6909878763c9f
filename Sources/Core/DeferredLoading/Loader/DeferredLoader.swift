public import IdleLoop
internal import LullLibC

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
    /// A function that returns why a list wants a key, or doesn't.
    typealias Reason = (Key) -> String?

    /// Whether it has not been closed.
    public private(set) var isOpen = true
    /// The callback for all decisions about keys and the events of their loads; nil costs nothing.
    public var onDecision: ((LoadDecision<Key>) -> Void)? {
        didSet {
            if !isOpen { onDecision = nil }
            machine.reportsDecisions = onDecision != nil
        }
    }

    let queue: IdleQueue<Key>
    let fetches: FetchCoordinator<Key>
    var meter: PriceMeter
    /// The costs of loads on the loop, by kind.
    var costs = CostEstimator()
    private(set) var source: any LoadSource<Key, Value>
    /// The state machine that decides what to do about keys.
    private(set) var machine: LoadMachine
    private let lists = ListRegistry<Key, Value>()
    /// The entries of keys; one that is marked as gone counts as missing.
    ///
    /// Each is an `Entry`, but rules ask about each row in each frame, and a dictionary of generic
    /// objects takes several times as long.
    private var entries: [Key: LoadEntry] = [:]

    /// Results from elsewhere for which the source is being called.
    private var settlements: [(key: Key, number: Int)] = []
    private var settlementCount = 0

    /// The effects that are still to be performed.
    private var effects: [LoadEffect] = []
    private var isRunningEffects = false
    /// The reason for a list's requests, for decisions about them.
    private var reason: ((LoadEntry) -> String?)?

    private var timer: (id: LoopTimer, instant: Instant)?
    /// The observer that looks for room in each lull, while none of the queue's jobs is the
    /// loader's own.
    private var roomObserver: Observer?

    /// A loader whose work runs in `queue` and whose fetches run on `pool`.
    ///
    /// A source that fetches needs a pool, unless all its fetches are asynchronous; without one, a
    /// fetch that needs a worker fails with ``LoadError/needsPool``. Traps if a limit of the
    /// configuration isn't more than zero.
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
        meter = PriceMeter(in: configuration.prices)
        fetches = FetchCoordinator(
            queue: queue, pool: pool, operationLimit: configuration.operations)
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
        lists.closeAll()
        let all = machine.table.all
        let done = all.map { $0.release() }
        defer { withExtendedLifetime(done) {} }  // some hold entries for longer
        machine.table.close()
        machine = LoadMachine(configuration, seed: 0)
        entries = [:]
        effects = []
        settlements = []
        reason = nil
        onDecision = nil
        source = ClosedSource()
        roomObserver?.cancel()
        roomObserver = nil
        timer?.id.cancel()
        timer = nil
        for case let entry as Entry in all where entry.life.place == .queued {
            queue.cancel(entry.key)
        }
    }

    // MARK: - Lists

    /// Makes a list that this loader serves, beside others.
    ///
    /// Its share of the work is its `weight` among those of all lists that want keys of the same
    /// urgency. `commit` is called with what can be shown of the keys that it subscribes to,
    /// previews and failures included: in a lull, or on subscription if it is there already.
    public func list(
        named name: String = "", weight: Int = 1,
        commit: @escaping (_ key: Key, _ state: LoadState<Value>) -> Void
    ) -> LoadList<Key, Value> {
        let list = lists.makeList(named: name, weight: weight, commit: commit)
        if isOpen {
            lists.open(list)
            perform(.opened(list))
        } else {
            list.close()
        }
        return LoadList(list, of: self)
    }

    func close(_ list: List) {
        guard lists.isOpen(list) else { return }
        lists.close(list)
        perform(.closed(list, subscribed: list.subscribed))
        list.close()
    }

    func reconcile(_ list: List, with wanted: [Wanted<Key>], reason: Reason?) {
        guard lists.isOpen(list) else { return }
        let update = list.beginUpdate()  // one that changes nothing ends those before it, too
        guard wanted != list.wanted else { return }
        // Lists take turns by the expected costs of their keys.
        let costs = lists.count > 1 ? wanted.map { costHint(of: $0.key) } : []
        // A call of the source may have changed what the list wants.
        guard lists.isOpen(list), list.complete(update, with: wanted) else { return }
        var requests: [EntryRequest] = []
        requests.reserveCapacity(wanted.count)
        for place in wanted.indices {
            let request = wanted[place]
            requests.append(
                EntryRequest(
                    entry: anyEntry(of: request.key) ?? newEntry(of: request.key),
                    urgency: request.urgency, rank: request.rank,
                    cost: place < costs.count ? costs[place] : nil))
        }
        send(.wanted(list, requests), reason: reason)
        runEffects()
    }

    func subscribe(_ list: List, to key: Key) {
        guard lists.isOpen(list), !list.isSubscribed(to: key) else { return }
        let entry = entry(of: key)
        send(.subscribed(list, entry))
        let since = entry.subscribers.last?.since ?? 0
        list.subscribe(to: entry, since: since)
        runEffects()
        list.deliver(entry, since: since)
    }

    func unsubscribe(_ list: List, from key: Key) {
        if let entry = list.unsubscribe(from: key) { perform(.unsubscribed(list, entry)) }
    }

    // MARK: - Keys

    /// Returns a key's entry; nil if it has none.
    func known(_ key: Key) -> Entry? {
        // A checked cast takes longer than the look-up; all of the loader's entries are of this type.
        anyEntry(of: key).map { unsafe unsafeDowncast($0, to: Entry.self) }
    }

    /// Returns a key's entry like ``known(_:)``, without the cost of a generic type.
    func anyEntry(of key: Key) -> LoadEntry? {
        guard let entry = entries[key], !entry.isGone else { return nil }
        return entry
    }

    /// Returns a key's entry, a new one if it has none, of which the machine must be told next.
    func entry(of key: Key) -> Entry { known(key) ?? newEntry(of: key) }

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
        send(event)
        runEffects()
    }

    /// Sends an event to the machine, and appends its effects to those still to be performed.
    ///
    /// `reason` returns why a list wants a key, for the decisions that result.
    private func send(_ event: Event, reason: Reason? = nil) {
        let reason = onDecision == nil ? nil : reason
        if let reason {
            effects.append(.explain { ($0 as? Entry).flatMap { reason($0.key) } })
        }
        effects += machine.handle(event, at: queue.clock.now)
        if reason != nil { effects.append(.explain(nil)) }
    }

    /// Performs effects and submits the next jobs until there is nothing more to do.
    func runEffects() {
        guard !isRunningEffects else { return }
        isRunningEffects = true
        defer { isRunningEffects = false }
        repeat {
            while !effects.isEmpty {
                let next = effects
                effects = []
                for effect in next where isOpen { run(effect) }
            }
        } while offerNext()
        guard isOpen else { return }
        watchForRoom()
        armTimer()
    }

    private func run(_ effect: LoadEffect) {
        switch effect {
        case .estimateProgress(let entry as Entry):
            perform(
                .estimated(
                    entry, isNearlyDone: isNearlyDone(entry), progress(of: entry, entry.key)))
        case .submit(let entry as Entry): if isNext(entry) { submit(entry, from: source) }
        case .reorder(let entry as Entry):
            guard !entry.isGone, entry.life.place == .queued, let level = entry.level else { break }
            queue.reprioritize(entry.key, priority: level.urgency.priority, rank: level.turn)
        case .withdraw(let entry as Entry): withdraw(entry)
        case .checkFetch(let entry as Entry, let due): checkFetch(entry, due: due)
        case .commit(let entry as Entry, let version): lists.deliver(entry, version: version)
        case .halfDone(let list as List): list.onHalfDone?()
        case .decided(let entry as Entry, let kind, let time, let list, let why):
            let decision = LoadDecision(
                time: time, key: entry.key, kind: kind, list: list, reason: why)
            report(decision, of: entry)
        case .forget(let entry as Entry): forget(entry)
        case .explain(let reason): self.reason = reason
        case .release: break  // the object is released with the effect
        default: break  // every entry is this loader's own
        }
    }

    private func report(_ decision: LoadDecision<Key>, of entry: Entry) {
        guard onDecision != nil else { return }
        var decision = decision
        if decision.list != nil, let reason { decision.reason = reason(entry) }
        if case .unwanted(.none) = decision.kind, let start = queue.workStart(of: decision.key) {
            decision.kind = .unwanted(.fetching(since: start))
        }
        onDecision?(decision)
    }

    /// Returns whether an unwanted load is so nearly done that it is finished.
    private func isNearlyDone(_ entry: Entry) -> Bool {
        guard let least = configuration.nearlyDone, entry.life.place == .queued else {
            return false
        }
        switch progress(of: entry, entry.key) {
        case .fetching(let start):
            if entry.job?.isOperation == true, let share = entry.operation?.share {
                return share >= least
            }
            let learned = fetches.expectedCost(of: source.kind(of: entry.key))
            guard let cost = learned ?? fetches.usualCost?.mean, cost > .zero else { return false }
            return start.duration(to: queue.clock.now) / cost >= least
        case .begun(let spent):
            if let share = entry.contents?.load?.share { return share >= least }
            guard let cost = costHint(of: entry.key) ?? usualCost?.mean, cost > .zero else {
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
        if entry.isFetching, let job = entry.job, !job.isOperation,
            let start = queue.workStart(of: entry.key)
        {
            let cost = max(job.fetchCost, start.duration(to: queue.clock.now))
            perform(.fetchAbandoned(entry, cost))
        }
        queue.cancel(entry.key)
    }

    // MARK: - The queue

    /// Offers the next entry to the queue, if there is room; false if there is nothing to offer.
    ///
    /// Unwanted jobs make room. O(log n).
    private func offerNext() -> Bool {
        guard isOpen, let (_, level) = machine.next else { return false }
        if queue.hasRoom(for: level.urgency.priority) {
            perform(.room)
            return true
        }
        if level != .last, let unwanted = machine.table.nextDisplaceable {
            perform(.displaced(unwanted))
            return true
        }
        guard machine.hasNewlyWaiting else { return false }
        perform(.noRoom(jobs: queue.count))
        return true
    }

    /// Submits the next entry's work to the queue.
    private func submit<Source: LoadSource>(_ entry: Entry, from source: Source)
    where Source.Key == Key, Source.Value == Value {
        let kind = source.kind(of: entry.key)
        // Last, as any call of the source may invalidate the key.
        let fetch = entry.life.stage == .nothing ? source.fetch(entry.key) : nil
        // The source was called: the answer may have come with a change of what is wanted.
        guard isNext(entry), let level = entry.level else { return }
        guard let fetch else {
            let job = offer(entry, kind, nil)
            queue.submit(
                entry.key, priority: level.urgency.priority, rank: level.turn, onEnd: job.end,
                job.run)
            return
        }
        guard fetches.canRun(fetch) else { return refuse(entry, as: LoadError.needsPool) }
        let cost = fetches.expectedCost(of: fetch, kind)
        if entry.life.isWanted, let unwanted = machine.table.nextDisplaceable,
            fetches.needsPlace(
                of: unwanted, for: fetch, running: machine.table.sums.fetching)
        {
            perform(.displaced(unwanted))
        }
        let job = offer(entry, kind, .init(cost: cost, isOperation: fetch.isOperation))
        fetches.submit(fetch, cost, of: job, key: entry.key, at: level, from: source)
    }

    /// Returns whether an entry is still the next one to be offered.
    private func isNext(_ entry: Entry) -> Bool {
        isOpen && !entry.isGone && entry.life.place == .waiting && entry === machine.next?.entry
    }

    /// Fails a key whose fetch can never be begun.
    private func refuse(_ entry: Entry, as error: any Error) {
        let failure = failure(of: entry, error)
        if isNext(entry) { fail(entry, failure) }
    }

    /// Gives an entry a new job, with its key's current generation.
    private func offer(
        _ entry: Entry, _ kind: LoadKind?, _ fetch: Event.FetchFacts?
    ) -> LoadJob<Key, Value> {
        perform(.offered(entry, fetch))
        return LoadJob(of: entry, kind, in: self)
    }

    /// Fails a fetch that has reached its time limit, also if it is waiting for workers that make
    /// no progress.
    private func checkFetch(_ entry: Entry, due: Instant) {
        guard isOpen, !entry.isGone, let job = entry.job, job.isFetching,
            let limit = configuration.fetchTimeout
        else { return }
        let start = fetches.start(
            of: entry.key, isOperation: job.isOperation,
            submitted: due - limit)
        let end = start.advanced(by: limit)
        guard end <= queue.clock.now else { return perform(.fetchGoesOn(entry, until: end)) }
        queue.cancel(entry.key)  // takes the result if it has arrived just now
        guard !entry.isGone, entry.life.stage == .nothing else { return }
        let generation = entry.generation
        let failure = failure(of: entry, LoadError.timedOut(limit: limit))
        if !entry.isGone, entry.generation == generation { fail(entry, failure) }
    }

    private func fail(_ entry: Entry, _ failure: Event.Failure) {
        let done = entry.settle(.failed(failure.error, nextTry: nil))
        defer { withExtendedLifetime(done) {} }  // its release may call back
        perform(.failed(entry, failure))
    }

    /// Returns the failure, with the source's decision about a retry.
    private func failure(of key: Key, _ error: any Error, after failures: Int) -> Event.Failure {
        .init(error: error, retry: source.retry(key, after: error, failures: failures + 1))
    }

    func failure(of entry: Entry, _ error: any Error) -> Event.Failure {
        failure(of: entry.key, error, after: entry.failures)
    }

    // MARK: - Waiting

    /// Looks for room again after the loop has worked, while only others' jobs fill the queue:
    /// their ends aren't reported.
    private func watchForRoom() {
        let isWaiting = machine.next != nil && machine.table.sums.queued == 0
        guard isWaiting != (roomObserver != nil), !queue.loop.isClosed else { return }
        roomObserver?.cancel()
        roomObserver = nil
        guard isWaiting, queue.isAccepting else { return }
        roomObserver = queue.loop.observe(.beforeIdle) { [weak self] _ in
            self?.runEffects()
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

    // MARK: - Retries, invalidation and results from elsewhere

    /// Lets a key's load continue after it has returned ``LoadStep/waiting``; returns false if the key
    /// has no unfinished load.
    ///
    /// It may be called from inside any callback, the load's own step included. A load that doesn't
    /// wait isn't affected.
    @discardableResult
    public func resume(_ key: Key) -> Bool { queue.resume(key) }

    /// Retries a failed key at once, as if for the first time, since it was requested explicitly.
    ///
    /// If nobody wants the key, it is loaded when somebody does. Returns false if it has not
    /// failed.
    @discardableResult
    public func retry(_ key: Key) -> Bool {
        guard let entry = known(key), entry.life.stage == .failed else { return false }
        perform(.retried(entry))
        return true
    }

    /// Drops a key's value or failure because the content of the key has changed.
    ///
    /// If the key is wanted, it is reloaded; a result that is on its way is discarded.
    public func invalidate(_ key: Key) {
        supersede(key)
        if let entry = known(key) { perform(.invalidated(entry)) }
    }

    /// Sets a key's result without loading it here: a value that was kept from an earlier run, for
    /// example.
    ///
    /// A waiting or unfinished load of the key is cancelled.
    public func settle(_ key: Key, _ result: Result<Value, any Error>) {
        guard isOpen else { return }
        supersede(key)
        settlementCount += 1
        let number = settlementCount
        settlements.append((key, number))
        var (bytes, failure) = (0, Event.Failure?.none)
        let settled: LoadState<Value>
        switch result {
        case .success(let value):
            bytes = source.size(of: value)
            settled = .loaded(value)
        case .failure(let error):
            failure = self.failure(of: key, error, after: known(key)?.failures ?? 0)
            settled = .failed(error, nextTry: nil)
        }
        // A call of the source may have set another result, or closed the loader.
        guard let place = settlements.firstIndex(where: { $0.number == number }) else { return }
        settlements.remove(at: place)
        if let entry = known(key) { send(.superseded(entry)) }
        let entry = entry(of: key)
        if let failure { return fail(entry, failure) }
        let done = entry.settle(settled)
        defer { withExtendedLifetime(done) {} }  // its release may call back
        perform(.given(entry, bytes: bytes))
    }

    /// Makes results that are being set for a key obsolete.
    private func supersede(_ key: Key) {
        settlements.removeAll { $0.key == key }
    }

    /// Evicts values until only the given share is kept, because memory is short elsewhere.
    ///
    /// Suspended loads are dropped first, then unwanted values, the least recently used first.
    /// Subscribed and wanted values stay: they would only be reloaded. O(n log n). Traps if the
    /// share isn't from 0 to 1.
    public func trim(to share: Double) {
        precondition((0...1).contains(share), "a share is from 0 to 1")
        if isOpen { perform(.trimmed(to: share)) }
    }

    /// Changes the maximum number of bytes kept, ``LoaderConfiguration/byteLimit`` until then.
    ///
    /// A service keeps more while it has many users. What exceeds a lower limit is evicted at once,
    /// in the usual order. O(log n) for each evicted value.
    ///
    /// - Parameter count: The limit; a loader without one doesn't learn the sizes of its values, and
    ///   can't be given one.
    ///
    /// Traps if the count is less than one, or the loader has no limit of bytes.
    public func limitBytes(to count: Int) {
        precondition(count > 0, "a loader keeps some bytes")
        precondition(
            configuration.byteLimit != nil, "a loader without a limit of bytes doesn't count them")
        if isOpen { perform(.limited(toBytes: count)) }
    }

    /// Checks that its records of keys are consistent, also with its queue.
    ///
    /// O(n). Don't call it from inside the loader's own jobs.
    public func checkInvariants() {
        machine.checkInvariants()
        let all = machine.table.all.compactMap { $0 as? Entry }
        precondition(all.count == machine.table.count, "entries are the loader's own")
        for entry in all {
            let (life, contents) = (entry.life, entry.contents)
            precondition(known(entry.key) === entry, "a key has its own entry")
            precondition(
                (life.place == .queued) == queue.contains(entry.key),
                "the queue has what is queued")
            precondition(
                (contents?.shown.isSettled ?? false) == life.isSettled,
                "what is settled has its result")
            precondition(
                (life.stage == .begun) == (contents?.load != nil), "what is begun has its load")
        }
        lists.checkInvariants(with: all)
        let earliest = machine.table.nextDeadline?.instant
        precondition(
            timer?.instant == earliest || queue.loop.isClosed, "one timer, for what is due first")
    }
}

/// The source of a loader that is closed.
private struct ClosedSource<Key: Hashable, Value>: LoadSource {
    func load(_ key: Key, fetched: Never?) throws -> any Load<Value> {
        throw CancellationError()
    }
}
