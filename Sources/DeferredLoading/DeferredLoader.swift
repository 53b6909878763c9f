public import IdleLoop

/// Turns what is wanted into work for lulls, and brings each result to the cells that show it.
///
/// ```swift
/// let loader = DeferredLoader(queue: queue, source: thumbnails) { commit in
///     cells[commit.cell].picture = commit.value
/// }
/// loader.bind(cell: 3, to: row)              // the cell shows that row from now on
/// loader.reconcile(with: policy.wanted)      // touch, settle, resize, cancel: always this call
/// ```
///
/// A cell that is bound to another key has another generation, and a result for an old one is
/// never shown. What the queue had no room for is offered again when there is room.
public final class DeferredLoader<Key: Hashable, Value> {
    /// A value that has reached a cell.
    public struct Commit {
        /// The cell.
        public let cell: Int
        /// The key that the cell is bound to.
        public let key: Key
        /// The cell's generation, the same as when the value was asked for.
        public let generation: UInt64
        /// The value.
        public let value: Value
    }

    private struct Entry {
        var load: (any Load<Value>)?
        var fetched: (any Sendable)?
        var result: Result<Value, any Error>?
        /// The generation of what the key stands for; a result of an older one is thrown away.
        var generation: UInt64 = 0
        /// What was spent on the load at hand.
        var spent: Duration = .zero
        var cells: [Int] = []
        /// When the last cell that showed it was bound elsewhere; zero if none ever showed it.
        var lastShown: UInt64 = 0
        /// When its result came, which decides between two that were never shown.
        var settled: UInt64 = 0

        /// Whether there is nothing here worth keeping.
        var isBlank: Bool {
            load == nil && fetched == nil && result == nil && cells.isEmpty
        }
    }

    /// What a loader keeps.
    public struct Configuration: Sendable {
        /// How many values and failures are kept before the one shown longest ago goes; those that
        /// a cell shows or that are wanted stay.
        public var capacity = 512
        /// How many loads that were begun or fetched, and are no longer wanted, are kept in case
        /// they are wanted again; the one given up longest ago goes first.
        public var suspended = 8

        /// The defaults.
        public init() {}
    }

    /// What this loader keeps.
    public let configuration: Configuration
    /// What is wanted now.
    public private(set) var wanted: [Wanted<Key>] = []

    private let queue: IdleQueue<Key>
    private let pool: WorkerPool?
    private let source: any LoadSource<Key, Value>
    private let commit: (Commit) -> Void
    private var entries: [Key: Entry] = [:]
    private var wishes: [Key: Wanted<Key>] = [:]
    /// What isn't in the queue yet, or had no room there, numbered as it came.
    private var turnedAway: [Key: UInt64] = [:]
    /// What was begun or fetched and is no longer wanted, in the order in which it was given up.
    private var suspended: [Key] = []
    private var bindings: [Int: (key: Key, generation: UInt64)] = [:]
    private var clock: UInt64 = 0
    private var settledCount = 0
    private var isOffering = false

    /// What loads have cost on the loop of late, and how long fetches took.
    public private(set) var usualCost: UsualCost?
    /// How long fetches have taken of late.
    public private(set) var usualFetch: UsualCost?
    /// Told of all that is decided about keys and becomes of them; nil costs nothing.
    public var onDecision: ((LoadDecision<Key>) -> Void)?

    /// A loader whose work runs in `queue` and whose fetches run on `pool`.
    ///
    /// A source that fetches needs a pool. `commit` is called on the loop, in a lull or at once when
    /// a cell is bound to a value that's there.
    public init(
        queue: IdleQueue<Key>, pool: WorkerPool? = nil, source: any LoadSource<Key, Value>,
        configuration: Configuration = .init(), commit: @escaping (Commit) -> Void
    ) {
        precondition(configuration.capacity > 0, "a loader keeps at least one value")
        precondition(configuration.suspended >= 0, "a count is not negative")
        self.queue = queue
        self.pool = pool
        self.source = source
        self.configuration = configuration
        self.commit = commit
    }

    /// How far the key's value has come.
    public func state(of key: Key) -> LoadState<Value> {
        guard let entry = entries[key] else {
            return wishes[key] == nil ? .placeholder : .queued
        }
        switch entry.result {
        case .success(let value): return .loaded(value)
        case .failure(let error): return .failed(error)
        case nil: break
        }
        if entry.load != nil { return .loading }
        return wishes[key] == nil ? .placeholder : .queued
    }

    /// How far the key's load has come, as policies are told.
    public func progress(of key: Key) -> LoadProgress {
        guard let entry = entries[key] else { return .none }
        if entry.result != nil { return .settled }
        if entry.load != nil { return .begun(spent: entry.spent) }
        if entry.fetched != nil { return .fetched }
        return queue.workStart(of: key).map { .fetching(since: $0) } ?? .none
    }

    /// What a policy may know of the loads of a list whose rows have these keys.
    ///
    /// With no key a row counts as settled: there's nothing to load for it.
    public func facts(key: @escaping (_ row: Int) -> Key?) -> some LoadFacts {
        LoaderFacts(loader: self, key: key)
    }

    /// How many fetches run at once; 0 without workers.
    var fetches: Int { pool?.width ?? 0 }

    /// What the source says that loading a key costs.
    func costHint(of key: Key) -> Duration? { source.cost(of: key) }

    private func note(
        _ key: Key, _ kind: @autoclosure () -> LoadDecision<Key>.Kind,
        _ reason: ((Key) -> String?)? = nil
    ) {
        guard let onDecision else { return }
        onDecision(
            LoadDecision(time: queue.clock.now, key: key, kind: kind(), reason: reason?(key)))
    }

    // MARK: - Cells

    /// Has a cell show a key from now on: its value at once if it's there, else when it comes.
    ///
    /// Gives the cell a new generation, whatever it showed before.
    @discardableResult
    public func bind(cell: Int, to key: Key) -> UInt64 {
        unbind(cell: cell)
        clock += 1
        bindings[cell] = (key, clock)
        entries[key, default: Entry()].cells.append(cell)
        if case .success(let value)? = entries[key]?.result { show(value, of: key, in: cell) }
        return clock
    }

    /// Has a cell show nothing.
    public func unbind(cell: Int) {
        guard let (key, _) = bindings.removeValue(forKey: cell) else { return }
        clock += 1
        entries[key]?.cells.removeAll { $0 == cell }
        entries[key]?.lastShown = clock
        tidy(key)
    }

    private func show(_ value: Value, of key: Key, in cell: Int) {
        guard let binding = bindings[cell], binding.key == key else { return }
        commit(Commit(cell: cell, key: key, generation: binding.generation, value: value))
    }

    // MARK: - Demand

    /// Makes `wanted` what is wanted: the one call for everything that changes a list's mind.
    ///
    /// What is no longer wanted is taken back (what was begun is kept, should it be wanted again),
    /// what is wanted at another urgency changes its place, what is new waits for its lull.
    /// `reason` says why a key is wanted or isn't; it is only asked if somebody listens to decisions.
    @discardableResult
    public func reconcile(
        with wanted: [Wanted<Key>], reason: ((Key) -> String?)? = nil
    ) -> Demand<Key> {
        let demand = Demand(from: self.wanted, to: wanted)
        self.wanted = wanted
        holdingOffers {
            for key in demand.unwanted {
                note(key, .unwanted(progress(of: key)), reason)
                giveUp(key)
            }
            for wish in demand.wanted {
                let old = wishes[wish.key]
                note(
                    wish.key,
                    old.map { .moved(from: $0.urgency, to: wish.urgency, rank: wish.rank) }
                        ?? .wanted(wish.urgency, rank: wish.rank),
                    reason)
                take(wish)
            }
        }
        return demand
    }

    private func giveUp(_ key: Key) {
        wishes[key] = nil
        queue.cancel(key)
        suspend(key)
        tidy(key)
    }

    private func take(_ wish: Wanted<Key>) {
        wishes[wish.key] = wish
        if !queue.reprioritize(wish.key, urgency: wish.urgency, rank: wish.rank) {
            postpone(wish.key)
        }
    }

    /// Forgets a key's value or failure because what it stands for has changed.
    ///
    /// If it's wanted it is loaded anew; a result that was on its way is thrown away.
    public func invalidate(_ key: Key) {
        holdingOffers {
            note(key, .invalidated)
            queue.cancel(key)
            suspended.removeAll { $0 == key }
            if entries[key]?.result != nil { settledCount -= 1 }
            clock += 1
            entries[key]?.result = nil
            entries[key]?.load = nil
            entries[key]?.fetched = nil
            entries[key]?.spent = .zero
            entries[key]?.generation = clock
            tidy(key)
            postpone(key)
        }
    }

    /// Settles a key without loading it here: with a value that was kept from an earlier run, say.
    ///
    /// A load of the key that waits or was begun is taken back.
    public func settle(_ key: Key, _ result: Result<Value, any Error>) {
        holdingOffers {
            queue.cancel(key)
            suspended.removeAll { $0 == key }
            finish(key, result)
        }
    }

    // MARK: - Work

    private func submit(_ wish: Wanted<Key>) {
        let key = wish.key
        if !suspended.isEmpty { suspended.removeAll { $0 == key } }
        let entry = entries[key] ?? Entry()
        entries[key] = entry
        let onEnd: (JobEnd) -> Void = { [weak self] end in self?.ended(key, end) }
        if entry.load == nil, entry.fetched == nil, let fetch = source.fetch(key) {
            guard let pool else { preconditionFailure("a source that fetches needs a pool") }
            queue.submit(
                key, urgency: wish.urgency, rank: wish.rank, on: pool, cost: fetch.cost,
                onEnd: onEnd, work: fetching(fetch)
            ) { [weak self] fetched in
                self?.noteFetch(of: key, fetched)
                return { slot in try self?.step(key, in: slot) ?? .skipped }
            }
        } else {
            queue.submit(key, urgency: wish.urgency, rank: wish.rank, onEnd: onEnd) {
                [weak self] slot in
                try self?.step(key, in: slot) ?? .skipped
            }
        }
    }

    /// The work of a fetch; on virtual time it takes what it was said to.
    private func fetching(_ fetch: Fetch) -> @Sendable () throws -> Fetched {
        let isVirtual = if case .virtual = queue.clock { true } else { false }
        return {
            let start = LoopClock.monotonic.now
            let value = try fetch.work()
            guard !isVirtual else { return Fetched(value: value, start: nil, took: fetch.cost) }
            return Fetched(
                value: value, start: start, took: start.duration(to: LoopClock.monotonic.now))
        }
    }

    private func noteFetch(of key: Key, _ fetched: Fetched) {
        entries[key]?.fetched = fetched.value
        if usualFetch?.add(fetched.took) == nil { usualFetch = UsualCost(fetched.took) }
        guard onDecision != nil else { return }
        let now = queue.clock.now
        note(key, .fetched(since: fetched.start ?? now.advanced(by: .zero - fetched.took)))
    }

    private func learn(_ cost: Duration) {
        if usualCost?.add(cost) == nil { usualCost = UsualCost(cost) }
    }

    private func step(_ key: Key, in slot: borrowing IdleSlot) throws -> JobProgress {
        guard let entry = entries[key] else { return .skipped }
        if entry.load == nil { note(key, .begun) }
        let start = slot.now
        do {
            let load = try entry.load ?? source.load(key, fetched: entry.fetched)
            entries[key]?.load = load
            let step = try load.step(in: slot)
            entries[key]?.spent += start.duration(to: slot.now)
            guard isCurrent(key, entry) else { return .skipped }
            guard case .done(let value) = step else { return .again }
            learn(entries[key]?.spent ?? .zero)
            finish(key, .success(value))
            return .done
        } catch {
            guard isCurrent(key, entry) else { return .skipped }
            throw error
        }
    }

    /// Whether what a key stands for is the same as when `entry` was read.
    private func isCurrent(_ key: Key, _ entry: Entry) -> Bool {
        entries[key]?.generation == entry.generation
    }

    private func ended(_ key: Key, _ end: JobEnd) {
        if case .failed(let error) = end { finish(key, .failure(error)) }
        // Dropped, or changed while it ran: as long as it's wanted it is offered again.
        postpone(key)
        tidy(key)
        offerAgain()
    }

    private func finish(_ key: Key, _ result: Result<Value, any Error>) {
        var entry = entries[key] ?? Entry()
        if entry.result == nil { settledCount += 1 }
        clock += 1
        entry.settled = clock
        entry.result = result
        let cost = entry.spent
        entry.load = nil
        entry.fetched = nil
        entry.spent = .zero
        entries[key] = entry
        switch result {
        case .success: note(key, .finished(cost: cost))
        case .failure(let error): note(key, .failed("\(error)"))
        }
        if case .success(let value) = result {
            for cell in entry.cells { show(value, of: key, in: cell) }
        }
        makeRoom(sparing: key)
    }

    /// Has a key offered to the queue when there's room, if it is wanted and not there yet.
    private func postpone(_ key: Key) {
        let isWanted = wishes[key] != nil && entries[key]?.result == nil
        guard isWanted, turnedAway[key] == nil else { return }
        clock += 1
        turnedAway[key] = clock
    }

    /// Lets all of a change be said before anything is offered: only then is it clear what comes
    /// first.
    private func holdingOffers(_ change: () -> Void) {
        let wasOffering = isOffering
        isOffering = true
        change()
        isOffering = wasOffering
        offerAgain()
    }

    /// Hands in what isn't in the queue yet, most urgent first, as far as there is room.
    ///
    /// O(n log n) in the keys that wait.
    private func offerAgain() {
        guard !isOffering, !turnedAway.isEmpty, queue.hasRoom(for: .visible) else { return }
        isOffering = true
        defer { isOffering = false }
        let offers = turnedAway.compactMap { key, number in
            entries[key]?.result == nil && !queue.contains(key)
                ? wishes[key].map { (wish: $0, number: number) } : nil
        }
        var left = offers.sorted { first, second in
            first.wish.precedes(second.wish)
                || (!second.wish.precedes(first.wish) && first.number < second.number)
        }[...]
        turnedAway = [:]
        while let (wish, _) = left.first, queue.hasRoom(for: wish.urgency) {
            left = left.dropFirst()
            submit(wish)  // which may push a lesser one out, to be offered again
        }
        for (wish, number) in left {
            note(wish.key, .turnedAway)
            turnedAway[wish.key] = number
        }
    }

    /// Lets values go that nobody shows or wants, the one shown longest ago first.
    ///
    /// O(n) in those kept, once there are too many.
    private func makeRoom(sparing newest: Key) {
        while settledCount > configuration.capacity {
            let candidates = entries.lazy.filter { [wishes] key, entry in
                entry.result != nil && entry.cells.isEmpty && key != newest && wishes[key] == nil
            }
            guard
                let oldest = candidates.min(by: { first, second in
                    (first.value.lastShown, first.value.settled)
                        < (second.value.lastShown, second.value.settled)
                })
            else { return }
            note(oldest.key, .evicted)
            entries[oldest.key]?.result = nil
            settledCount -= 1
            tidy(oldest.key)
        }
    }

    /// Keeps what was done of a load that is no longer wanted, and lets the oldest such go.
    private func suspend(_ key: Key) {
        guard let entry = entries[key], entry.load != nil || entry.fetched != nil else { return }
        suspended.append(key)
        guard suspended.count > configuration.suspended else { return }
        let oldest = suspended.removeFirst()
        entries[oldest]?.load = nil
        entries[oldest]?.fetched = nil
        entries[oldest]?.spent = .zero
        tidy(oldest)
    }

    private func tidy(_ key: Key) {
        if entries[key]?.isBlank == true, !queue.contains(key) { entries[key] = nil }
    }
}

/// What a fetch gave, whatever its type, and when it began and ended.
private struct Fetched: Sendable {
    let value: any Sendable
    let start: Instant?
    let took: Duration
}
