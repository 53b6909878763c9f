internal import IdleLoop

// What is wanted, by whom, and whose turn it is.
extension DeferredLoader {
    /// A list that this loader serves, beside the others.
    ///
    /// Its part of the work is its `weight` among those of all lists that want something of the same
    /// urgency. `commit` is told what can be shown of the keys it subscribes to, previews and failures
    /// too: in a lull, or at once for what is there as it subscribes.
    public func list(
        named name: String = "", weight: Int = 1,
        commit: @escaping (_ key: Key, _ state: LoadState<Value>) -> Void
    ) -> LoadList<Key, Value> {
        listCount += 1
        let list = List(number: listCount, name: name, weight: weight, commit: commit)
        if isOpen { lists[listCount] = list } else { list.close() }
        return LoadList(list, of: self)
    }

    func close(_ list: List) {
        guard lists[list.number] != nil else { return }
        let (_, gone) = take([], for: list)
        // Whoever is called from here on can't ask for anything through it.
        lists[list.number] = nil
        perform {
            follow(gone, of: list, nil)
            for key in list.subscribed { unsubscribe(list, from: key) }
            list.close()
        }
        isListening = lists.values.contains { $0.onProgress != nil }
    }

    @discardableResult
    func reconcile(
        _ list: List, with wanted: [Wanted<Key>], reason: ((Key) -> String?)?
    ) -> Demand<Key> {
        guard isOpen, lists[list.number] != nil, wanted != list.wanted else {
            return Demand(wanted: [], unwanted: [])
        }
        let (changes, gone) = take(wanted, for: list)
        perform { follow(gone + changes.map { $0.entry }, of: list, reason) }
        return Demand(wanted: changes.map { $0.wish }, unwanted: gone.map { $0.key })
    }

    /// Does what follows from a list's change of mind about some keys.
    private func follow(_ entries: [Entry], of list: List, _ reason: ((Key) -> String?)?) {
        shareTurns(after: list)
        for entry in entries {
            noteWishes(for: entry, of: list, reason)
            followWishes(for: entry)
        }
    }

    /// What a list has changed its mind about.
    private typealias Change = (entry: Entry, wish: Wanted<Key>)

    /// Writes down what a list wants; calls nobody, so that all of it is said at once.
    private func take(
        _ wanted: [Wanted<Key>], for list: List
    ) -> (changes: [Change], gone: [Entry]) {
        let mark = tick()
        var changes: [Change] = []
        var entries: [Entry] = []
        entries.reserveCapacity(wanted.count)
        for wish in wanted {
            let entry = table.entry(of: wish.key, generation: mark)
            guard entry.mark != mark else { continue }
            entry.mark = mark
            entries.append(entry)
            let old = entry.wishes[list.number]
            if let old, old.urgency == wish.urgency, old.rank == wish.rank { continue }
            changes.append((entry, wish))
        }
        changes.sort { $0.wish.precedes($1.wish) }
        let gone = list.entries.filter { $0.mark != mark }
        for entry in gone { entry.wishes[list.number] = nil }
        for (entry, wish) in changes {
            entry.wishes[list.number] = ListWish(
                list: list.number, urgency: wish.urgency, rank: wish.rank, turn: wish.rank)
        }
        list.wanted = wanted
        list.entries = entries
        wantingLists[list.number] = wanted.isEmpty ? nil : list
        return (changes, gone)
    }

    /// Notes how the wishes for a key differ from those noted last, after a list's change of mind.
    private func noteWishes(
        for entry: Entry, of list: List, _ reason: ((Key) -> String?)?
    ) {
        let why = onDecision == nil ? nil : reason?(entry.key)  // which may change its mind again
        let (from, to, lists) = (entry.notedPlace, entry.wishes.place, entry.wishes.count)
        let isShared = lists != entry.notedLists
        (entry.notedPlace, entry.notedLists) = (to, lists)
        switch (from, to) {
        case (nil, nil): break
        case (nil, let to?):
            note(entry, .wanted(to.urgency, rank: to.turn), of: list, why)
        case (.some, nil):
            note(entry, .unwanted(progress(of: entry)), of: list, why)
        case (let from?, let to?):
            if isShared { note(entry, .shared(lists: lists), of: list, why) }
            guard from != to else { break }
            note(entry, .moved(from: from.urgency, to: to.urgency, rank: to.turn), of: list, why)
        }
    }

    /// Has a key be as urgent as lists want it by now, or given up if none does.
    private func followWishes(for entry: Entry) {
        guard entry.wishes.isEmpty else { return handle(.wanted, entry) }
        guard entry.life.isWanted else { return tidy(entry) }
        let isNearlyDone = isNearlyDone(entry)  // which asks the source: it may be wanted again now
        guard entry.wishes.isEmpty else { return handle(.wanted, entry) }
        if isNearlyDone {
            note(entry, .kept(progress(of: entry)), "most of it is done, and nothing waits for it")
        }
        handle(.unwanted(isNearlyDone: isNearlyDone), entry)
    }

    private func isNearlyDone(_ entry: Entry) -> Bool {
        guard let least = configuration.nearlyDone, entry.life.place == .queued else {
            return false
        }
        switch progress(of: entry) {
        case .fetching(let start):
            if entry.fetchesByItself, let share = entry.operation?.share { return share >= least }
            guard let usual = usualFetch?.mean, usual > .zero else { return false }
            return start.duration(to: queue.clock.now) / usual >= least
        case .begun(let spent):
            if let share = entry.load?.share { return share >= least }
            guard let cost = source.cost(of: entry.key) ?? usualCost?.mean, cost > .zero else {
                return false
            }
            return spent / cost >= least
        case .none, .fetched, .settled: return false
        }
    }

    // MARK: - Turns

    /// Gives a list that has changed its mind new turns among the others; with no others, the list's
    /// own order is all there is.
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

    /// Spreads a list's wishes over the clock of their urgency, by what they're expected to cost.
    ///
    /// O(n log n), and O(n) if the list names the most urgent first.
    func giveTurns(to list: List, isForDrift: Bool = false) {
        fairness.renew(&list.account, isForDrift: isForDrift)
        var starts = Urgency.allCases.map { fairness.start(list.account, $0) }
        for entry in inOrder(list) where !entry.life.isSettled {
            let cost = isShared ? expectedCost(of: entry, for: list) : .zero
            // Only now: whoever was asked for the cost may have changed the wish.
            guard var wish = entry.wishes[list.number] else { continue }
            let place = Int(wish.urgency.rawValue)
            let old = wish.turn
            if isShared {
                wish.turn = starts[place]
                wish.length = FairShare.part(cost, of: list.account)
                starts[place] = wish.turn.addingReportingOverflow(wish.length).partialValue
            } else {
                wish.turn = wish.rank
            }
            entry.wishes[list.number] = wish
            guard wish.turn != old else { continue }
            if entry.life.isWanted { handle(.wanted, entry) }
        }
    }

    private func inOrder(_ list: List) -> [Entry] {
        func precedes(_ first: Entry, _ second: Entry) -> Bool {
            guard let first = first.wishes[list.number], let second = second.wishes[list.number]
            else { return false }
            return first.urgency == second.urgency
                ? first.rank < second.rank : first.urgency > second.urgency
        }
        let entries = list.entries
        let isOrdered = !zip(entries, entries.dropFirst()).contains { precedes($1, $0) }
        return isOrdered ? entries : entries.sorted(by: precedes)
    }

    /// What a list is expected to be charged for a key.
    func expectedCost(of entry: Entry, for list: List) -> Duration {
        let fetch = entry.life.stage == .nothing ? list.usualFetch?.mean ?? .zero : .zero
        return fetch
            + (source.cost(of: entry.key) ?? list.usualCost?.mean ?? usualCost?.mean
                ?? .milliseconds(1))
    }
}
