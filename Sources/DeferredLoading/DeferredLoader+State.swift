internal import IdleLoop

// How far things have come.
extension DeferredLoader {
    /// How far the key's value has come.
    public func state(of key: Key) -> LoadState<Value> {
        table[key].map { state(of: $0) } ?? .placeholder
    }

    func state(of entry: Entry) -> LoadState<Value> {
        switch entry.result {
        case .success(let value): return .loaded(value)
        case .failure(let error):
            return .failed(
                error, nextTry: entry.deadline < .distantFuture ? entry.deadline : nil)
        case nil: break
        }
        if let preview = entry.preview { return .refined(preview, share: entry.load?.share) }
        if entry.isFetching { return .fetching }
        if let load = entry.load { return .loading(share: load.share) }
        return entry.life.isWanted ? .queued : .placeholder
    }

    /// How far the key's load has come, as policies are told.
    public func progress(of key: Key) -> LoadProgress {
        table[key].map { progress(of: $0) } ?? .none
    }

    func progress(of entry: Entry) -> LoadProgress {
        switch entry.life.stage {
        case .loaded, .failed: return .settled
        case .begun: return .begun(spent: entry.spent)
        case .fetched: return .fetched
        case .nothing: break
        }
        guard entry.isFetching else { return .none }
        return queue.workStart(of: entry.key).map { .fetching(since: $0) } ?? .none
    }

    /// What a policy may know of the loads of a list whose rows have these keys.
    ///
    /// With no key a row counts as settled: there's nothing to load for it.
    public func facts(key: @escaping (_ row: Int) -> Key?) -> some LoadFacts {
        LoaderFacts(loader: self, key: key)
    }

    /// How many values and failures are kept.
    public var count: Int { table.tally.settled }

    /// How many bytes are kept, as far as the source says what values have.
    public var bytes: Int { table.tally.bytes }

    /// How many fetches run at once; 0 without workers and operations.
    package var fetches: Int { (pool?.width ?? 0) + (operations?.width ?? 0) }

    /// What the source says that loading a key costs.
    package func costHint(of key: Key) -> Duration? { source.cost(of: key) }

    /// What the source says that a key's fetch takes.
    package func fetchHint(of key: Key) -> Duration? { source.fetchCost(of: key) }

    /// Checks that what it knows of its keys agrees with itself, and with its queue.
    ///
    /// O(n). Not from inside its own jobs.
    public func checkInvariants() {
        table.checkInvariants()
        for entry in table.all {
            let life = entry.life
            precondition(
                (life.place == .queued) == queue.contains(entry.key), "the queue has what is queued"
            )
            precondition(
                life.isWanted == !entry.wishes.isEmpty, "what somebody wants is wanted")
            precondition(!entry.isBlank, "nobody is kept for nothing")
            precondition(
                (entry.result != nil) == life.isSettled, "what is settled has its result")
            precondition(
                (life.stage == .begun) == (entry.load != nil), "what is begun has its load")
            precondition(
                !life.isSettled || entry.load == nil && entry.preview == nil,
                "nothing is left of a load that is done")
            precondition(!entry.isFetching || life.place == .queued, "only jobs are fetched")
            precondition(
                life.place != .crowded || !entry.isSubscribed,
                "what is subscribed to always has room")
            for number in entry.subscribers {
                precondition(
                    lists[number]?.subscriptions[entry.key]?.entry === entry,
                    "lists know their keys")
            }
        }
        precondition(wantingLists.keys.allSatisfy { lists[$0] != nil }, "lists are known")
        precondition(table.suspendedCount <= configuration.suspended, "few loads are suspended")
        let earliest = table.nextDeadline?.instant
        precondition(
            timer?.instant == earliest || queue.loop.isClosed, "one timer, for what is due first")
        for list in lists.values {
            precondition(
                (wantingLists[list.number] === list) == !list.wanted.isEmpty,
                "lists that want something are known")
            for subscription in list.subscriptions.values {
                precondition(!subscription.entry.isGone, "a subscribed key is known")
            }
        }
    }
}
