internal import IdleLoop

// The states of keys, and what rules and programs may know of their loads.
extension DeferredLoader {
    /// The limits of this loader.
    package var configuration: LoaderConfiguration { machine.limits }

    /// Returns the state of a key's load.
    public func state(of key: Key) -> LoadState<Value> {
        guard let entry = entries[key] else { return .placeholder }
        return own(entry).state
    }

    /// Returns a key's value, if it is loaded, and marks it as recently used, as a list does that
    /// subscribes and unsubscribes at once.
    ///
    /// For programs that pass values on and keep none themselves. O(log n).
    public func value(of key: Key) -> Value? {
        guard let entry = entries[key], let value = own(entry).shown.value else { return nil }
        call { [self] in
            if entry.slot >= 0 { send { $0.use(entry) } }
        }
        return value
    }

    /// Returns the progress of a key's load, as rules see it.
    package func progress(of key: Key) -> LoadProgress {
        guard let entry = entries[key] else { return .none }
        return progress(of: entry, key)
    }

    func progress(of entry: LoadEntry, _ key: Key) -> LoadProgress {
        guard entry.isFetching else { return entry.progress }
        guard let start = queue.workStart(of: key) else { return .none }
        return .fetching(since: start)
    }

    /// Returns what a rule may know of the loads of a list whose rows have these keys.
    ///
    /// A row without a key counts as settled, since there is nothing to load for it. Without the list
    /// it is taken for one that has nothing in view. A `display` is given if rows are shown by another
    /// process.
    package func facts(
        of list: LoadList<Key, Value>? = nil, on display: RemoteDisplay<Key>? = nil,
        key: @escaping (_ row: Int) -> Key?
    ) -> some LoadStatus {
        LoaderStatus(self, list?.state, on: display, key: key)
    }

    /// The number of values and failures kept.
    public var count: Int { machine.table.sums.settled }

    /// The number of bytes kept, by the sizes that the source reports.
    public var byteCount: Int { machine.table.sums.bytes }

    /// The price of this loader's work now, in the limits of ``LoaderConfiguration/prices``.
    ///
    /// On a host, where a loop's sleep is only estimated, so is the price.
    public var price: WorkPrice {
        let now = queue.clock.now
        if meter.isDue(at: now) { meter.update(to: reading(at: now)) }
        return meter.price
    }

    /// Returns the number of values that can be kept for a list, by their mean size if bytes are
    /// limited; nil if there is no limit.
    ///
    /// All values in view are kept anyway. Of the room that is left, a list has what others
    /// that move don't want of it, and at least an equal part: one that rests keeps what it has
    /// guessed only as long as nothing more urgent comes. Keys that lists share take room once. O(n)
    /// in the keys that the list wants.
    func capacity(for list: DemandList?) -> Int? {
        let (limits, sums) = (configuration, machine.table.sums)
        var capacity = limits.capacity
        let held = sums.bytes - machine.table.workBytes
        if let bytes = limits.byteLimit, sums.settled > 0, held > 0 {
            capacity = min(capacity, Int(Double(bytes) * Double(sums.settled) / Double(held)))
        }
        guard capacity < .max else { return nil }
        let room = max(0, capacity - sums.subscribed)
        let own = list?.requests.reduce(0) { $0 + $1.entry.counted.ahead } ?? 0
        let part = max(room / max(1, machine.demand.movingCount), room - (sums.ahead - own))
        return max(1, (list?.subscriptionCount ?? 0) + part)
    }

    /// The number of loads that can run at once.
    var lanes: Int { usesLanes ? max(1, queue.laneCount) : 1 }

    private func reading(at now: Instant) -> PriceMeter.Reading {
        let (loop, sums) = (queue.loop.statistics, machine.table.sums)
        return PriceMeter.Reading(
            time: now, worked: loop.jobs.timeRunning, asleep: loop.timeAsleep,
            workedOnLanes: loop.timeOnLanes, lanes: lanes,
            fetching: Double(sums.fetching) / Double(max(1, fetchWidth)),
            waiting: Double(sums.urgent) * (1 - 1 / Double(max(1, machine.demand.wantingCount))))
    }

    /// Returns the expected cost of a key's load on the loop: what the source says, or what its kind
    /// has cost so far; nil if neither is known, or kinds tell little.
    func costHint(of key: Key) -> Duration? {
        if let cost = source.cost(of: key) { return cost }
        return costs.isReliable
            ? source.kind(of: key).flatMap { costs.expected(of: $0)?.mean } : nil
    }

    /// Returns the expected duration of a key's fetch: what those of its kind took, or what the
    /// source says; nil if nothing is fetched for it.
    func fetchHint(of key: Key) -> Duration? {
        expectedFetch(of: source.kind(of: key)) ?? source.fetchCost(of: key)
    }

    /// Returns the expected duration of fetches of a kind, if it is learned.
    func expectedFetch(of kind: WorkKind?) -> Duration? {
        kind.flatMap { fetchCosts.expected(of: $0)?.mean }
    }
}
