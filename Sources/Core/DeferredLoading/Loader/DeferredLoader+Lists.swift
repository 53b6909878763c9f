internal import IdleLoop

// Lists: their requests, subscriptions and notifications.
extension DeferredLoader {
    /// Makes a list that this loader serves, beside others.
    ///
    /// Its share of the work is its `weight` among those of all lists that want keys of the same
    /// urgency. `commit` is called with what can be shown of the keys that it subscribes to,
    /// previews and failures included: in a lull, or on subscription if it is there already.
    public func list(
        named name: String = "", weight: Int = 1,
        commit: @escaping (_ key: Key, _ state: LoadState<Value>) -> Void
    ) -> LoadList<Key, Value> {
        listCount += 1
        let list = List(number: listCount, name: name, weight: weight, commit: commit)
        if isOpen {
            lists[listCount] = list
            perform(.opened(list))
        } else {
            list.close()
        }
        return LoadList(list, of: self)
    }

    func isOpen(_ list: List) -> Bool { lists[list.number] != nil }

    func close(_ list: List) {
        guard isOpen(list) else { return }
        lists[list.number] = nil
        perform(.closed(list, subscribed: list.subscribed))
        list.close()
        updateProgress()
    }

    func reconcile(_ list: List, with wanted: [Wanted<Key>], reason: Reason?) {
        guard isOpen(list), wanted != list.wanted else { return }
        list.reconciliations += 1
        let number = list.reconciliations
        // Lists take turns by the expected costs of their keys.
        let costs = lists.count > 1 ? wanted.map { source.cost(of: $0.key) } : []
        // A call of the source may have changed what the list wants.
        guard isOpen(list), list.reconciliations == number else { return }
        list.wanted = wanted
        var wishes: [EntryWish] = []
        wishes.reserveCapacity(wanted.count)
        for place in wanted.indices {
            let wish = wanted[place]
            wishes.append(
                EntryWish(
                    entry: anyEntry(of: wish.key) ?? newEntry(of: wish.key), urgency: wish.urgency,
                    rank: wish.rank,
                    cost: place < costs.count ? costs[place] : nil))
        }
        tell(.wanted(list, wishes), reason: reason)
        settle()
    }

    // MARK: - Subscriptions

    /// Returns a key's value, if it is loaded, and marks it as recently used, as a list does that
    /// subscribes and unsubscribes at once.
    ///
    /// For programs that pass values on and keep none themselves. O(log n).
    public func value(of key: Key) -> Value? {
        guard let entry = known(key), let value = entry.contents?.shown.value else { return nil }
        perform(.used(entry))
        return value
    }

    func subscribe(_ list: List, to key: Key) {
        guard isOpen(list), list.subscriptions[key] == nil else { return }
        let entry = entry(of: key)
        tell(.subscribed(list, entry))
        let since = entry.subscribers.last?.since ?? 0
        list.subscriptions[key] = .init(entry: entry, since: since)
        settle()
        guard list.subscriptions[key]?.since == since else { return }
        let state = state(of: entry)
        switch state {
        case .refined, .loaded, .failed: list.commit?(key, state)
        case .placeholder, .queued, .fetching, .loading: break
        }
    }

    func unsubscribe(_ list: List, from key: Key) {
        guard let entry = list.subscriptions.removeValue(forKey: key)?.entry else { return }
        perform(.unsubscribed(list, entry))
    }

    /// Delivers what can be shown of a key to the lists that had subscribed to it by then.
    func commit(_ entry: Entry, _ version: UInt64) {
        for (number, since) in entry.subscribers where since < version {
            guard !entry.isGone, entry.version == version else { return }
            // A callback may have closed the list, or subscribed it again, which delivers the
            // state.
            guard let list = lists[number], list.subscriptions[entry.key]?.since == since
            else { continue }
            list.commit?(entry.key, state(of: entry))
        }
    }

    // MARK: - Progress

    /// Sets the progress callback of a list that is open.
    func listen(to list: List, _ body: List.Commit?) {
        guard isOpen(list) else { return }
        let last = list.onProgress
        defer { withExtendedLifetime(last) {} }  // its release may call back
        list.onProgress = body
        updateProgress()
        guard machine.tellsProgress else { return }
        for entry in machine.table.all where entry.isSubscribed { machine.noteProgress(entry) }
        settle()
    }

    private func updateProgress() {
        machine.tellsProgress = lists.values.contains { $0.onProgress != nil }
    }

    func reportProgress() {
        let entries = machine.progressed
        machine.progressed = []
        for case let entry as Entry in entries {
            entry.hasProgress = false
            for (number, _) in entry.subscribers where !entry.isGone {
                if let list = lists[number] { reportProgress(of: entry, to: list) }
            }
        }
    }

    private func reportProgress(of entry: Entry, to list: List) {
        let news = news(of: entry)
        guard let onProgress = list.onProgress, let told = list.subscriptions[entry.key]?.told,
            told != news
        else { return }
        list.subscriptions[entry.key]?.told = news
        onProgress(entry.key, state(of: entry))
    }

    private func news(of entry: Entry) -> ReportedProgress {
        switch state(of: entry) {
        case .placeholder: .placeholder
        case .queued: .queued
        case .fetching: .fetching
        case .loading(let share): .loading(Int(max(0, min(share ?? 0, 1)) * 16))
        case .refined: .refined(entry.version)
        case .loaded, .failed: .settled(entry.version)
        }
    }
}
