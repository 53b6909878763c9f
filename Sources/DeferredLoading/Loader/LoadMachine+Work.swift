internal import IdleLoop

// What comes of fetches and loads, and who is charged for it.
extension LoadMachine {
    /// Takes what was fetched: now it waits for a lull, if it's still wanted.
    func takeFetched(_ entry: Entry, _ bytes: Int, _ start: Instant?, _ took: Duration) {
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

    /// A slice begins: its list's turn has come.
    func begin(_ entry: Entry) {
        if entry.life.stage != .begun { note(entry, .begun) }
        guard isShared, !entry.hasBegunTurn, let wish = entry.wishes.foremost else { return }
        entry.turn = wish
        entry.hasBegunTurn = true
        fairness.begin(wish.level)
    }

    func spend(_ cost: Duration, on entry: Entry, _ bytes: Int?) {
        entry.spent += cost
        entry.spentByJob += cost
        if let bytes { entry.bytes = bytes }
        changed(entry)
    }

    /// Notes what a worker has spent on a job: its list is charged for that too.
    func spendFetch(_ cost: Duration, on entry: Entry) {
        guard isShared else { return }
        entry.spentByJob += cost
        guard let turn = entry.turn, let list = lists[turn.list] else { return }
        if list.usualFetch?.add(cost) == nil { list.usualFetch = UsualCost(cost) }
    }

    func learn(_ cost: Duration, of entry: Entry) {
        if usualCost?.add(cost) == nil { usualCost = UsualCost(cost) }
        guard let wish = entry.wishes.foremost, let list = lists[wish.list] else { return }
        if list.usualCost?.add(cost) == nil { list.usualCost = UsualCost(cost) }
    }

    /// Charges a list for what a job took.
    private func charge(_ entry: Entry) {
        guard let turn = entry.turn else { return }
        entry.turn = nil
        guard isShared, entry.spentByJob > .zero, let list = lists[turn.list] else { return }
        let isOff = fairness.charge(&list.account, turn, cost: entry.spentByJob)
        if isOff { giveTurns(to: list, isForDrift: true) }
    }

    func refine(_ entry: Entry) {
        entry.previewNumber = tick()
        note(entry, .refined)
        commit(entry)
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
        tidy(entry)
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

    /// Has a key's state brought to all lists that have subscribed to it.
    private func commit(_ entry: Entry) {
        entry.version = tick()
        if entry.isSubscribed { effects.append(.commit(entry, version: entry.version)) }
    }
}
