internal import IdleLoop

// Results of fetches and loads, and charges to lists.
extension LoadMachine {
    /// Handles the result of a fetch: the load now waits for a lull, if it is still wanted.
    func storeFetch(_ entry: Entry, _ bytes: Int, _ start: Instant?, _ took: Duration) {
        entry.isFetching = false
        entry.deadline = .distantFuture
        if !entry.fetchesByItself { spendFetch(took, on: entry) }
        entry.fetchedBytes = bytes
        entry.bytes = bytes
        note(entry, .fetched(since: start ?? now.advanced(by: .zero - took)))
        move(entry, .reached(.fetched))
        // Only its fetch was to be finished.
        if entry.life.claim == .kept { move(entry, .unwanted(isNearlyDone: false)) }
    }

    /// Returns whether the start of this slice must be reported.
    func isFirstSlice(_ entry: Entry) -> Bool {
        entry.life.stage != .begun || isShared && !entry.hasBegunTurn
    }

    /// Handles the start of a first slice: the turn of its list has begun.
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

    /// Updates the number of bytes that a load holds, if bytes are limited, and notes its progress.
    func hold(_ bytes: Int?, _ entry: Entry) {
        if let bytes { entry.bytes = bytes }
        changed(entry)
    }

    /// Charges the time that a worker has spent on a job to the job's list.
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

    /// Charges a list for the time of a job.
    private func charge(_ entry: Entry) {
        guard let turn = entry.turn else { return }
        entry.turn = nil
        guard isShared, entry.spentByJob > .zero, let list = lists[turn.list] else { return }
        let isOff = fairness.charge(&list.account, turn, cost: entry.spentByJob)
        if isOff { giveTurns(to: list, isForDrift: true) }
    }

    /// Handles the end of a job: an entry that is wanted and has no result is offered again.
    func ended(_ entry: Entry, _ failure: Event.Failure?) {
        entry.ticket = 0  // later results of the job are ignored
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

    /// Handles the value of a key.
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
        // An entry whose job has not ended yet makes room when it ends.
        if entry.life.place != .queued { newest = entry }
    }

    /// Delivers a key's state to all lists that have subscribed to it.
    func commit(_ entry: Entry) {
        entry.version = tick()
        if entry.isSubscribed { effects.append(.commit(entry, version: entry.version)) }
    }
}
