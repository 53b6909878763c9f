internal import IdleLoop

// What comes of fetches and loads, and who is charged for it.
extension LoadMachine {
    /// Takes what was fetched: now it waits for a lull, if it's still wanted.
    func storeFetch(_ entry: Entry, _ bytes: Int, _ start: Instant?, _ took: Duration) {
        entry.isFetching = false
        entry.deadline = .distantFuture
        if !entry.fetchesByItself { spendFetch(took, on: entry) }
        entry.fetchedBytes = bytes
        entry.bytes = bytes
        note(entry, .fetched(since: start ?? now.advanced(by: .zero - took)))
        move(entry, .reached(.fetched))
        // It was only to be fetched.
        if entry.life.claim == .kept { move(entry, .unwanted(isNearlyDone: false)) }
    }

    /// Whether it matters to anybody that a slice of a load begins.
    func isFirstSlice(_ entry: Entry) -> Bool {
        entry.life.stage != .begun || isShared && !entry.hasBegunTurn
    }

    /// A first slice begins: its list's turn has come.
    func begin(_ entry: Entry) {
        if entry.life.stage != .begun { note(entry, .begun) }
        guard isShared, !entry.hasBegunTurn, let wish = entry.wishes.foremost else { return }
        entry.turn = wish
        entry.hasBegunTurn = true
        fairness.begin(wish.level)
    }

    func spend(_ cost: Duration, on entry: Entry) {
        entry.spent += cost
        entry.spentByJob += cost
    }

    /// Notes what a load holds, if anybody counts, and that it has come further.
    func hold(_ bytes: Int?, _ entry: Entry) {
        if let bytes { entry.bytes = bytes }
        changed(entry)
    }

    /// Notes what a worker has spent on a job: its list is charged for that too.
    func spendFetch(_ cost: Duration, on entry: Entry) {
        guard isShared else { return }
        entry.spentByJob += cost
        guard let turn = entry.turn, let list = lists[turn.list] else { return }
        list.usualFetch.add(cost)
    }

    func learn(_ cost: Duration, of entry: Entry) {
        usualCost.add(cost)
        guard let wish = entry.wishes.foremost, let list = lists[wish.list] else { return }
        list.usualCost.add(cost)
    }

    /// Charges a list for what a job took.
    private func charge(_ entry: Entry) {
        guard let turn = entry.turn else { return }
        entry.turn = nil
        guard isShared, entry.spentByJob > .zero, let list = lists[turn.list] else { return }
        let isOff = fairness.charge(&list.account, turn, cost: entry.spentByJob)
        if isOff { giveTurns(to: list, isForDrift: true) }
    }

    /// Takes note of the end of a job: what's still wanted and not there is offered again.
    func ended(_ entry: Entry, _ failure: Event.Failure?) {
        entry.ticket = 0  // whatever it still brings is nobody's
        if entry.isFetching {
            entry.isFetching = false
            entry.deadline = .distantFuture
        }
        if let failure { fail(entry, failure) }
        charge(entry)
        move(entry, .jobEnded)
        if entry.life.isSettled { newest = entry }
        removeIfBlank(entry)
    }

    /// A key has its value.
    func finish(_ entry: Entry, _ bytes: Int) {
        let cost = entry.spent
        settle(entry, bytes)
        entry.failures = 0
        note(entry, .finished(cost: cost))
        move(entry, .reached(.loaded))
        commit(entry)
    }

    func fail(_ entry: Entry, _ failure: Event.Failure) {
        settle(entry, 0)
        entry.failures += 1
        note(entry, .failed("\(failure.error)"))
        move(entry, .reached(.failed))
        planRetry(of: entry, failure.retry)
        commit(entry)
    }

    private func settle(_ entry: Entry, _ bytes: Int) {
        entry.isFetching = false
        entry.forgetWork()
        entry.bytes = bytes
        entry.since = tick()
        // One whose job is still to end makes room then.
        if entry.life.place != .queued { newest = entry }
    }

    /// Commits a key's state to all lists that have subscribed to it.
    func commit(_ entry: Entry) {
        entry.version = tick()
        if entry.isSubscribed { effects.append(.commit(entry, version: entry.version)) }
    }
}
