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
/// A result of a key whose content has changed meanwhile is never delivered. Jobs for which the queue
/// had no room are offered again when there is room, the most urgent first. Transient failures are
/// retried with growing delays. The cache is bounded: subscribed values stay, and unwanted ones are
/// evicted first. Several lists may share a loader.
///
/// The queue is the loader's own: nobody else submits jobs to it.
///
/// Callbacks may call the loader, close it, or release it. They are called when a change is complete,
/// in the order of changes: at the end of the call that made it, or of the loop's event. What a
/// callback changes is told after it has returned. A call from inside the source, or from inside a
/// load's slice, takes effect when the change for which they were asked is complete.
public final class DeferredLoader<Key: Hashable, Value> {
    typealias Entry = KeyedEntry<Key, Value>
    /// A function that returns why a list wants a key, or doesn't.
    typealias Reason = (Key) -> String?

    /// Whether it has not been closed.
    package private(set) var isOpen = true
    /// The callback for all decisions about keys and the events of their loads; nil costs nothing.
    public var onDecision: ((LoadDecision<Key>) -> Void)? {
        didSet {
            if !isOpen { onDecision = nil }
            machine.reportsDecisions = onDecision != nil
        }
    }

    /// The queue in which the work on the loop waits.
    package let queue: IdleQueue<Key>
    /// The workers on which fetches run, and the pool for operations, once there was one.
    let pool: WorkerPool?
    var operations: OperationPool?
    /// The costs of loads on the loop, and the times of fetches, by kind.
    var costs = CostEstimator()
    var fetchCosts = CostEstimator()
    /// The recent time of fetches.
    var usualFetch: MeanDeviation?
    /// The time at which the last fetch ended, successfully or not.
    var lastFetchEnd = Instant.zero
    var meter: PriceMeter
    /// Whether the last load that may run anywhere went to lanes.
    var usesLanes = false
    private(set) var source: any LoadSource<Key, Value>
    /// The state machine that decides what to do about keys.
    private(set) var machine: LoadMachine
    /// The number of lists that were ever made.
    private var made = 0
    /// The entries of keys.
    ///
    /// Each is an `Entry`, but rules ask about each row in each frame, and a dictionary of generic
    /// objects takes several times as long.
    private(set) var entries: [Key: LoadEntry] = [:]

    /// The number of changes that are under way, each inside the one before.
    private var depth = 0
    /// The effects that are still to be performed.
    private var effects: [LoadEffect] = []
    /// The calls from inside a change, which are made when its effects are performed.
    private var calls: [() -> Void] = []
    /// The calls that tell of changes, still to be made.
    private var notices = Backlog<() -> Void>()
    private var isTelling = false

    private var timer: (id: LoopTimer, instant: Instant)?

    /// A loader whose work runs in `queue` and whose fetches run on `pool`, or without one on the
    /// source's own, ``LoadSource/pool``.
    ///
    /// A source that fetches needs a pool, unless all its fetches are asynchronous; without any, a
    /// fetch that needs a worker fails with ``LoadError/needsPool``. Traps if a limit of the
    /// configuration isn't more than zero.
    public init(
        queue: IdleQueue<Key>, pool: WorkerPool? = nil, source: any LoadSource<Key, Value>,
        configuration: LoaderConfiguration = .init()
    ) {
        configuration.check()
        self.queue = queue
        self.pool = pool ?? source.pool
        meter = PriceMeter(in: configuration.prices)
        self.source = source
        let seed = queue.clock.isVirtual ? 1 : UInt64.random(in: 0 ... .max)
        machine = LoadMachine(configuration, seed: seed)
    }

    deinit {
        close()
    }

    /// Cancels all work and releases all values and callbacks; nothing is told afterwards.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        call { [self] in release() }
    }

    private func release() {
        let all = machine.table.all
        let queued = all.filter { $0.isQueued }
        machine.table.close()
        for entry in queued { queue.cancel(own(entry).key) }
        let lists = machine.demand.lists.values.map { $0.close() }
        // Their release may call back.
        let released: [Any?] = [
            notices.rest, entries, source, onDecision, all.map { $0.release() }, lists,
        ]
        (effects, entries, notices) = ([], [:], Backlog())
        machine = LoadMachine(configuration, seed: 0)
        onDecision = nil
        source = ClosedSource()
        timer?.id.cancel()
        timer = nil
        releaseLater(released)
    }

    // MARK: - Lists

    /// Makes a list that this loader serves, beside others.
    ///
    /// Its share of the work is its `weight` among those of all lists that want keys of the same
    /// urgency. `commit` is called with what can be shown of the keys that it subscribes to,
    /// previews and failures included.
    public func list(
        named name: String = "", weight: Int = 1,
        commit: @escaping (_ key: Key, _ state: LoadState<Value>) -> Void
    ) -> LoadList<Key, Value> {
        made += 1
        let list = DemandList(number: made, name: name, weight: weight) {
            let entry = Self.own($0)
            commit(entry.key, entry.state)
        }
        call { [self] in
            if isOpen { send { $0.open(list) } } else { releaseLater(list.close()) }
        }
        return LoadList(list, of: self)
    }

    func close(_ list: DemandList) {
        guard machine.isOpen(list) else { return }
        send { $0.close(list) }
        releaseLater(list.close())
    }

    func reconcile(_ list: DemandList, with wanted: [Wanted<Key>], reason: Reason?) {
        guard machine.isOpen(list) else { return }
        let old = list.requests
        var isSame = wanted.count == old.count
        var requests: [DemandList.Request] = []
        requests.reserveCapacity(wanted.count)
        for place in wanted.indices {
            let wish = wanted[place]
            let order = LoadOrder(wish.urgency, turn: wish.rank)
            // Comparing a key costs a fraction of looking it up.
            let before = place < old.count ? old[place] : nil
            if let before, own(before.entry).key == wish.key {
                requests.append(DemandList.Request(entry: before.entry, order: order))
                isSame = isSame && before.order == order
            } else {
                requests.append(DemandList.Request(entry: entry(of: wish.key), order: order))
                isSame = false
            }
        }
        guard !isSame else { return }
        send(reason: reason) { $0.want(requests, in: list) }
    }

    func subscribe(_ list: DemandList, to key: Key, isTold: Bool = false) {
        guard machine.isOpen(list) else { return }
        let entry = entry(of: key)
        guard !list.isSubscribed(to: entry) else { return }
        send { $0.subscribe(list, to: entry, isTold: isTold) }
    }

    func unsubscribe(_ list: DemandList, from key: Key) {
        guard let entry = entries[key], list.isSubscribed(to: entry) else { return }
        send { $0.unsubscribe(list, from: entry) }
    }

    // MARK: - Keys

    /// Returns an entry by its type: all of the loader's entries are of this one, and a checked cast
    /// takes longer than a look-up.
    @inline(__always)
    static func own(_ entry: LoadEntry) -> Entry {
        unsafe unsafeDowncast(entry, to: Entry.self)
    }

    @inline(__always)
    func own(_ entry: LoadEntry) -> Entry { Self.own(entry) }

    /// Returns whether a key's value is loaded.
    func isLoaded(_ key: Key) -> Bool { entries[key]?.stage == .loaded }

    /// Returns a key's entry; of a new one the machine must be told next.
    func entry(of key: Key) -> Entry {
        if let entry = entries[key] { return own(entry) }
        let entry = Entry(key)
        entries[key] = entry
        return entry
    }

    // MARK: - Changes

    /// Makes a change that is called for from outside; the only way in.
    ///
    /// If another one is under way, it is put off until that is whole: the source, rules and lists are
    /// asked for what a change takes, and no code that asks has to look at what is left afterwards.
    func call(_ change: @escaping () -> Void) {
        if !callNow(change) { calls.append(change) }
    }

    /// Makes a change unless one is under way; returns whether it did.
    ///
    /// A closure that isn't kept costs no memory.
    func callNow(_ change: () -> Void) -> Bool {
        guard depth == 0 else { return false }
        begin()
        change()
        end()
        return true
    }

    /// Begins a change, or a part of the one that is under way.
    func begin() { depth += 1 }

    /// Ends a change.
    ///
    /// With the outermost, its effects are performed, the changes that were put off are made, and all is
    /// told.
    func end() {
        if depth == 1 { performEffects() }
        depth -= 1
        if depth == 0 { tell() }
    }

    /// Tells the machine of an event, inside a change, and appends its effects to those still to be
    /// performed.
    ///
    /// `reason` returns why a list wants a key, for the decisions that result.
    func send(reason: Reason? = nil, _ event: (LoadMachine) -> Void) {
        let now = queue.clock.now
        for effect in machine.effects(at: now, of: event) {
            switch effect {
            case .forget(let entry): entries[own(entry).key] = nil
            case .commit(let entry):
                notices.append { [self] in
                    for list in entry.subscribers { machine.demand.lists[list]?.deliver(entry) }
                }
            case .halfDone(let list): notices.append { list.onHalfDone?() }
            case .release(let object): releaseLater(object)
            case .decided(let entry, let kind, let list, let why):
                let key = own(entry).key
                var kind = kind
                if case .unwanted(.none) = kind { kind = .unwanted(progress(of: entry, key)) }
                let why = why ?? (list == nil ? nil : reason?(key))
                let decision = LoadDecision(
                    time: now, key: key, kind: kind, list: list, reason: why)
                notices.append { [self] in onDecision?(decision) }
            case .judge, .reorder, .withdraw, .checkFetch: effects.append(effect)
            }
        }
    }

    /// Performs effects, makes the changes that were put off, and submits the next jobs, until there is
    /// nothing more to do.
    private func performEffects() {
        repeat {
            var done = 0
            while done < effects.count {
                perform(effects[done])
                done += 1
            }
            effects.removeAll(keepingCapacity: true)
            let next = calls
            calls.removeAll()
            for call in next { call() }
        } while !effects.isEmpty || !calls.isEmpty || offerNext()
        armTimer()
    }

    private func perform(_ effect: LoadEffect) {
        switch effect {
        case .judge(let entry): judge(own(entry))
        case .reorder(let entry): reorder(own(entry))
        case .withdraw(let entry): withdraw(own(entry))
        case .checkFetch(let entry, let due): checkFetch(own(entry), due: due)
        case .forget, .commit, .halfDone, .decided, .release: break  // it's done, or is told later
        }
    }

    /// Calls back: the only place from which lists and observers are called, and from which values are
    /// released.
    private func tell() {
        guard !isTelling else { return }
        isTelling = true
        while let notice = notices.popFirst() { notice() }
        isTelling = false
    }

    /// Calls a closure when the change is complete.
    func tellLater(_ notice: @escaping () -> Void) { notices.append(notice) }

    /// Releases something when the change is complete, as that may call back.
    func releaseLater(_ released: Any) { notices.append { withExtendedLifetime(released) {} } }

    /// Arms the one timer for the earliest deadline: a wanted key's retry, or the time limit of a
    /// fetch.
    private func armTimer() {
        let next = machine.table.nextDue?.deadline
        guard next != timer?.instant else { return }
        timer?.id.cancel()
        timer = nil
        guard let next, !queue.loop.isClosed else { return }
        let id = queue.loop.schedule(at: next) { [weak self] in
            guard let self else { return }
            timer = nil
            call { [self] in send { $0.handleDeadlines() } }
        }
        timer = (id, next)
    }

    /// Checks that its records of keys are consistent, also with its queue.
    ///
    /// O(n). Don't call it from inside the loader's own jobs or its source.
    package func checkInvariants() {
        machine.checkInvariants()
        let all = machine.table.all.compactMap { $0 as? Entry }
        precondition(all.count == machine.table.count, "entries are the loader's own")
        precondition(all.count == entries.count, "all keys are the machine's")
        for entry in all {
            precondition(entries[entry.key] === entry, "a key has its own entry")
            precondition(
                entry.isQueued == queue.contains(entry.key), "the queue has what is queued")
            precondition(
                entry.shown.isSettled == entry.isSettled, "what is settled has its result")
            precondition(
                entry.load != nil || entry.stage != .begun, "what is begun has its load")
            precondition(
                entry.load == nil || entry.isQueued || entry.stage == .begun,
                "a load waits with its job")
        }
        precondition(
            timer?.instant == machine.table.nextDue?.deadline || queue.loop.isClosed,
            "one timer, for what is due first")
        precondition(
            depth == 0 && effects.isEmpty && calls.isEmpty,
            "a change is whole when it has ended")
    }
}

/// The source of a loader that is closed.
private struct ClosedSource<Key: Hashable, Value>: LoadSource {
    func load(_ key: Key, fetched: Never?) throws -> any Load<Value> {
        throw CancellationError()
    }
}
