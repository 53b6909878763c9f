internal import IdleLoop

// Requests of lists, subscriptions and turns.
extension LoadMachine {
    func close(_ list: List, _ subscribed: [Entry]) {
        guard lists[list.number] != nil else { return }
        let gone = take([], for: list).gone
        lists[list.number] = nil
        follow(gone, of: list)
        for entry in subscribed { unsubscribe(list, from: entry) }
    }

    func reconcile(_ list: List, _ wishes: [EntryWish]) {
        guard lists[list.number] != nil else { return }
        let (changes, gone) = take(wishes, for: list)
        follow(gone + changes, of: list)
    }

    /// Follows up a list's change of some requests.
    private func follow(_ entries: [Entry], of list: List) {
        shareTurns(after: list)
        for entry in entries {
            noteWishes(for: entry, of: list)
            followWishes(for: entry)
        }
    }

    /// Stores a list's requests; returns the entries whose requests have changed, the most urgent
    /// first, and those that the list no longer wants.
    private func take(
        _ wishes: [EntryWish], for list: List
    ) -> (changes: [Entry], gone: [Entry]) {
        let mark = tick()
        var changes: [EntryWish] = []
        var entries: [Entry] = []
        entries.reserveCapacity(wishes.count)
        for wish in wishes where wish.entry.mark != mark {
            let entry = wish.entry
            table.add(entry)
            entry.mark = mark
            entries.append(entry)
            if let cost = wish.cost { entry.costHint = cost }
            let old = entry.wishes[list.number]
            if let old, old.urgency == wish.urgency, old.rank == wish.rank { continue }
            changes.append(wish)
        }
        changes.sort { $0.place < $1.place }
        let gone = list.entries.filter { $0.mark != mark }
        for entry in gone { entry.wishes[list.number] = nil }
        for wish in changes {
            wish.entry.wishes[list.number] = ListWish(
                list: list.number, urgency: wish.urgency, rank: wish.rank, turn: wish.rank)
        }
        list.entries = entries
        wantingLists[list.number] = wishes.isEmpty ? nil : list
        return (changes.map(\.entry), gone)
    }

    /// Reports the changes of a key's requests since the last report, after a list's change.
    private func noteWishes(for entry: Entry, of list: List) {
        let (from, to, lists) = (entry.notedPlace, entry.wishes.place, entry.wishes.count)
        let isShared = lists != entry.notedLists
        (entry.notedPlace, entry.notedLists) = (to, lists)
        switch (from, to) {
        case (nil, nil): break
        case (nil, let to?): note(entry, .wanted(to.urgency, rank: to.turn), of: list)
        case (.some, nil): note(entry, .unwanted(entry.progress), of: list)
        case (let from?, let to?):
            if isShared { note(entry, .shared(lists: lists), of: list) }
            guard from != to else { break }
            note(entry, .moved(from: from.urgency, to: to.urgency, rank: to.turn), of: list)
        }
    }

    /// Gives a key the urgency of its requests, or abandons it if there are none.
    private func followWishes(for entry: Entry) {
        guard entry.wishes.isEmpty else { return move(entry, .wanted) }
        guard entry.life.isWanted else { return removeIfBlank(entry) }
        if configuration.nearlyDone != nil, entry.life.place == .queued,
            entry.isFetching || entry.life.stage == .begun
        {
            effects.append(.appraise(entry))
        } else {
            move(entry, .unwanted(isNearlyDone: false))
        }
    }

    /// Abandons an unwanted load, unless it is so nearly done that it is finished after all others.
    func abandon(_ entry: Entry, isNearlyDone: Bool, _ progress: LoadProgress) {
        guard !entry.isGone, entry.wishes.isEmpty, entry.life.isWanted else { return }
        if isNearlyDone {
            note(entry, .kept(progress), "most of it is done, and nothing waits for it")
        }
        move(entry, .unwanted(isNearlyDone: isNearlyDone))
    }

    // MARK: - Subscriptions

    func subscribe(_ list: List, to entry: Entry) {
        table.add(entry)
        entry.subscribers.append((list.number, tick()))
        if entry.life.place == .memoryBlocked { move(entry, .roomMade) } else { changed(entry) }
    }

    func unsubscribe(_ list: List, from entry: Entry) {
        entry.subscribers.removeAll { $0.list == list.number }
        entry.lastUsed = tick()
        changed(entry)
        removeIfBlank(entry)
    }

    // MARK: - Turns

    /// Assigns new turns to a list that has changed its requests; if there is no other list, its
    /// own order is used.
    private func shareTurns(after list: List) {
        let isShared = wantingLists.count > 1
        guard isShared != self.isShared else {
            if isShared { giveTurns(to: list) }
            return
        }
        self.isShared = isShared
        for list in wantingLists.values.sorted(by: { $0.number < $1.number }) {
            giveTurns(to: list)
        }
    }

    /// Assigns turns to a list's requests on the clock of their urgency, by their expected costs.
    ///
    /// O(n log n), and O(n) if the list names the most urgent first.
    func giveTurns(to list: List, isForDrift: Bool = false) {
        fairness.renew(&list.account, isForDrift: isForDrift)
        var starts = Urgency.allCases.map { fairness.start(list.account, $0) }
        for entry in inOrder(list) where !entry.life.isSettled {
            guard var wish = entry.wishes[list.number] else { continue }
            let place = Int(wish.urgency.rawValue)
            let old = wish.turn
            if isShared {
                wish.turn = starts[place]
                wish.length = FairShare.part(expectedCost(of: entry, for: list), of: list.account)
                starts[place] = wish.turn.addingReportingOverflow(wish.length).partialValue
            } else {
                wish.turn = wish.rank
            }
            entry.wishes[list.number] = wish
            if wish.turn != old, entry.life.isWanted { move(entry, .wanted) }
        }
    }

    private func inOrder(_ list: List) -> [Entry] {
        func precedes(_ first: Entry, _ second: Entry) -> Bool {
            guard let first = first.wishes[list.number], let second = second.wishes[list.number]
            else { return false }
            return first.place < second.place
        }
        let entries = list.entries
        let isOrdered = !zip(entries, entries.dropFirst()).contains { precedes($1, $0) }
        return isOrdered ? entries : entries.sorted(by: precedes)
    }

    /// Returns the expected charge to a list for a key.
    private func expectedCost(of entry: Entry, for list: List) -> Duration {
        let fetch = entry.life.stage == .nothing ? list.usualFetch?.mean ?? .zero : .zero
        return fetch
            + (entry.costHint ?? list.usualCost?.mean ?? usualCost?.mean ?? .milliseconds(1))
    }
}
