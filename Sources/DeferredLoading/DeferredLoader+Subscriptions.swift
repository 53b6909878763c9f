internal import IdleLoop

// Subscriptions, and what lists are told.
extension DeferredLoader {
    /// The key's value, if it's there, as for a list that subscribes to it and at once no longer does:
    /// what was used last goes last.
    ///
    /// For those who hand values on, and keep none themselves. O(log n).
    public func value(of key: Key) -> Value? {
        guard isOpen, let entry = table[key], case .success(let value)? = entry.result else {
            return nil
        }
        entry.lastUsed = tick()
        changed(entry)
        return value
    }

    func subscribe(_ list: List, to key: Key) {
        guard isOpen, lists[list.number] != nil, list.subscriptions[key] == nil else { return }
        perform {
            let entry = table.entry(of: key, generation: tick())
            list.subscriptions[key] = .init(entry: entry, since: tick())
            entry.subscribers.append(list.number)
            if entry.life.place == .crowded { handle(.roomMade, entry) } else { changed(entry) }
            switch state(of: entry) {
            case .refined, .loaded, .failed: list.commit?(key, state(of: entry))
            case .placeholder, .queued, .fetching, .loading: break
            }
        }
    }

    func unsubscribe(_ list: List, from key: Key) {
        guard let subscription = list.subscriptions.removeValue(forKey: key) else { return }
        perform {
            let entry = subscription.entry
            entry.subscribers.removeAll { $0 == list.number }
            entry.lastUsed = tick()
            changed(entry)
            tidy(entry)
        }
    }

    /// Brings a key's state to all lists that have subscribed to it, as long as that is its state.
    func commit(_ entry: Entry) {
        let (news, generation, state) = (news(of: entry), entry.generation, state(of: entry))
        let now = tick()
        for number in entry.subscribers {
            guard !entry.isGone, entry.generation == generation, self.news(of: entry) == news
            else { return }
            // A callback may have closed it, or had it subscribe anew, which tells it.
            guard let list = lists[number], let subscription = list.subscriptions[entry.key],
                subscription.since < now
            else { continue }
            list.commit?(entry.key, state)
        }
    }

    // MARK: - Progress

    /// Has a list that is open, and no other, call `body` with the progress of its keys.
    func listen(to list: List, _ body: List.Commit?) {
        guard lists[list.number] != nil else { return }
        let last = list.onProgress
        defer { withExtendedLifetime(last) {} }  // which may call back as it goes
        list.onProgress = body
        isListening = lists.values.contains { $0.onProgress != nil }
        guard isListening else { return }
        for entry in table.all where entry.isSubscribed { hasNews(entry) }
    }

    /// Has the lists of an entry told before idle.
    func hasNews(_ entry: Entry) {
        guard !entry.hasNews else { return }
        entry.hasNews = true
        news.append(entry)
        guard newsObserver == nil, !queue.loop.isClosed else { return }
        newsObserver = queue.loop.observe(.beforeIdle, repeats: false) { [weak self] _ in
            self?.tellNews()
        }
    }

    private func tellNews() {
        newsObserver = nil
        perform {
            let entries = news
            news = []
            for entry in entries {
                entry.hasNews = false
                for number in entry.subscribers where !entry.isGone {
                    if let list = lists[number] { tellNews(of: entry, to: list) }
                }
            }
        }
    }

    private func tellNews(of entry: Entry, to list: List) {
        let news = news(of: entry)
        guard let onProgress = list.onProgress, let told = list.subscriptions[entry.key]?.told,
            told != news
        else { return }
        list.subscriptions[entry.key]?.told = news
        onProgress(entry.key, state(of: entry))
    }

    private func news(of entry: Entry) -> LoadNews {
        switch state(of: entry) {
        case .placeholder: .placeholder
        case .queued: .queued
        case .fetching: .fetching
        case .loading(let share): .loading(Int(max(0, min(share ?? 0, 1)) * 16))
        case .refined: .refined(entry.previewNumber)
        case .loaded, .failed: .settled(entry.since)
        }
    }
}
