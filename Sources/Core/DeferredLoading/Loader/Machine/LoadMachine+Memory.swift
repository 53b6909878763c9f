internal import LullLibC

// What a loader gives up when memory is short.
extension LoadMachine {
    /// Evicts values until the limits are kept.
    func makeRoom() {
        defer { newest = nil }
        while let victim = memory.nextVictim {
            switch victim {
            case .inProgress(let entry):
                note(entry, .evicted, "more urgent loads are in progress")
                startOver(entry)
            case .leftOver(let entry): startOver(entry)
            case .settled(let entry): evict(entry, lackOfRoom(for: entry))
            }
        }
    }

    private func lackOfRoom(for entry: Entry) -> String {
        let room = newest.map { $0 === entry ? "there is none for it" : "room for \($0.name)" }
        return "\(room ?? "room is short"): \(memory.exceededLimit) are kept"
    }

    private func evict(_ entry: Entry, _ reason: @autoclosure () -> String) {
        note(entry, .evicted, reason())
        // A wanted key that has failed and is evicted doesn't get its tries back: otherwise it
        // could be evicted and retried for ever.
        if !entry.isWanted { entry.failures = 0 }
        clear(entry)
    }

    /// Evicts values until only a share is kept.
    func trim(to share: Double) {
        for entry in table.leftOver { startOver(entry) }
        table.keepEvictionOrder()
        let values = Int(Double(table.sums.settled) * share)
        let bytes = Int(Double(table.sums.bytes) * share)
        while table.sums.settled > values || table.sums.bytes > bytes,
            let entry = table.nextEvictable, !entry.isWanted
        {
            evict(entry, "memory is short")
        }
    }

    /// Checks that its records of keys are consistent.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        table.checkInvariants()
        demand.checkInvariants()
        for entry in table.all {
            precondition(!entry.isBlank, "nobody is kept for nothing")
            precondition(
                entry.isQueued || entry.isWanted || entry.isSettled || entry.stage == .nothing,
                "no work is kept for nobody")
            precondition(
                entry.subscribers.allSatisfy { demand.lists[$0] != nil },
                "subscribers are known")
        }
        memory.checkInvariants()
    }
}
