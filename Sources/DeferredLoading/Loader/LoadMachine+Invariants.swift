internal import IdleLoop

extension LoadMachine {
    /// Checks that what it knows of its keys agrees with itself.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        table.checkInvariants()
        for entry in table.all {
            let (life, contents) = (entry.life, entry.contents)
            precondition(
                life.isWanted == !entry.wishes.isEmpty, "what somebody wants is wanted")
            precondition(!entry.isBlank, "nobody is kept for nothing")
            precondition(
                (contents.result != nil) == life.isSettled, "what is settled has its result")
            precondition(
                (life.stage == .begun) == (contents.load != nil), "what is begun has its load")
            precondition(
                !life.isSettled || contents.preview == nil,
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
