internal import IdleLoop

// The states of keys, and results from elsewhere.
extension DeferredLoader {
    /// Returns the state of a key's load.
    public func state(of key: Key) -> LoadState<Value> {
        guard let entry = known(key) else { return .placeholder }
        return state(of: entry)
    }

    func state(of entry: Entry) -> LoadState<Value> {
        if let contents = entry.contents {
            if entry.life.stage == .loaded { return contents.shown }
            switch contents.shown {
            case .failed(let error, _):
                return .failed(
                    error, nextTry: entry.deadline < .distantFuture ? entry.deadline : nil)
            case .refined(let preview, _):
                return .refined(preview, share: contents.load?.share)
            default: break
            }
            if let load = contents.load, !entry.isFetching { return .loading(share: load.share) }
        }
        if entry.isFetching { return .fetching }
        return entry.life.isWanted ? .queued : .placeholder
    }

    /// Returns the progress of a key's load, as rules see it.
    package func progress(of key: Key) -> LoadProgress {
        guard let entry = anyEntry(of: key) else { return .none }
        return progress(of: entry, key)
    }

    func progress(of entry: LoadEntry, _ key: Key) -> LoadProgress {
        guard entry.isFetching else { return entry.progress }
        guard let start = queue.workStart(of: key) else { return .none }
        return .fetching(since: start)
    }

    /// Returns what a rule may know of the loads of a list whose rows have these keys.
    ///
    /// A row without a key counts as settled, since there is nothing to load for it.
    public func facts(key: @escaping (_ row: Int) -> Key?) -> some LoadStatus {
        LoaderStatus(self, key: key)
    }

    /// The number of values and failures kept.
    public var count: Int { machine.table.tally.settled }

    /// The number of bytes kept, by the sizes that the source reports.
    public var bytes: Int { machine.table.tally.bytes }

    /// The number of fetches that can run at once; 0 without workers and operations.
    package var fetches: Int { (pool?.width ?? 0) + (operations?.width ?? 0) }

    /// Returns the source's estimate of the cost of loading a key.
    package func costHint(of key: Key) -> Duration? { source.cost(of: key) }

    /// Returns the source's estimate of the duration of a key's fetch.
    package func fetchHint(of key: Key) -> Duration? { source.fetchCost(of: key) }

    // MARK: - Retries, invalidation and results from elsewhere

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
        if let entry = known(key) { tell(.superseded(entry)) }
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
    /// Subscribed and wanted values stay: they would only be reloaded. O(n log n).
    public func trim(to share: Double) {
        precondition((0...1).contains(share), "a share is from 0 to 1")
        if isOpen { perform(.trimmed(to: share)) }
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
            for (number, since) in entry.subscribers {
                precondition(
                    lists[number]?.subscriptions[entry.key]?.since == since,
                    "lists know their keys")
            }
        }
        for list in lists.values {
            for subscription in list.subscriptions.values {
                precondition(!subscription.entry.isGone, "a subscribed key is known")
            }
        }
        let earliest = machine.table.nextDeadline?.instant
        precondition(
            timer?.instant == earliest || queue.loop.isClosed, "one timer, for what is due first")
    }
}
