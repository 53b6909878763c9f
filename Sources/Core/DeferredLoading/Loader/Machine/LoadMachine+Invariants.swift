internal import IdleLoop

extension LoadMachine {
    /// Checks that its records of keys are consistent.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        table.checkInvariants()
        for entry in table.all {
            let life = entry.life
            precondition(
                life.isWanted == !entry.wishes.isEmpty, "what somebody wants is wanted")
            precondition(!entry.isBlank, "nobody is kept for nothing")
            precondition(!entry.isFetching || life.place == .queued, "only jobs are fetched")
            precondition(
                life.place != .memoryBlocked || !entry.isSubscribed,
                "what is subscribed to always has room")
            precondition(
                life.place != .memoryBlocked || entry.bytes == 0, "what waits for room takes none")
            precondition(
                entry.subscribers.allSatisfy { lists[$0.list] != nil }, "subscribers are known")
        }
        precondition(wantingLists.keys.allSatisfy { lists[$0] != nil }, "lists are known")
        precondition(table.suspendedCount <= configuration.suspended, "few loads are suspended")
        for list in lists.values {
            precondition(
                (wantingLists[list.number] === list) == !list.entries.isEmpty,
                "lists that want something are known")
        }
    }
}
