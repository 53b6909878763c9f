// Memory: what is kept, and what is evicted.
extension LoadMachine {
    /// Evicts values until the limits are kept.
    func makeRoom() {
        defer { newest = nil }
        guard table.isBounded else { return }
        while isOverfull {
            let entry = isOverCount ? table.nextEvictable : table.nextHeavy
            if isOverBytes, let suspended = table.nextSuspended {
                forget(suspended)
            } else if isOverBytes, entry?.life.isWanted != false, let kept = table.nextKept {
                // It runs after all wanted loads, which would evict each other until then.
                startOver(kept)
            } else if let entry {
                evict(entry)
            } else {
                return
            }
        }
    }

    private var isOverBytes: Bool {
        configuration.byteLimit.map { table.tally.bytes > $0 } ?? false
    }

    private var isOverCount: Bool { table.tally.settled > configuration.capacity }

    private var isOverfull: Bool { isOverCount || isOverBytes }

    private func evict(_ entry: Entry) {
        let room = newest.map { $0 === entry ? "there is none for it" : "room for \($0.name)" }
        let limit =
            isOverBytes
            ? "\(configuration.byteLimit ?? 0) bytes" : "\(configuration.capacity) values"
        note(entry, .evicted, "\(room ?? "room is short"): \(limit) are kept")
        discard(entry)
        move(entry, .evicted)
        removeIfBlank(entry)
    }

    private func discard(_ entry: Entry) {
        // A wanted key that has failed and is evicted doesn't get its tries back: otherwise it
        // could be evicted and retried for ever.
        if !entry.life.isWanted { entry.failures = 0 }
        clear(entry)
    }

    /// Discards the unfinished work of an unwanted load.
    private func forget(_ entry: Entry) {
        clear(entry)
        move(entry, .reset)
        removeIfBlank(entry)
    }

    /// Discards the loads that were suspended longest ago, if there are too many.
    func limitSuspended() {
        while table.suspendedCount > configuration.suspended, let oldest = table.nextSuspended {
            forget(oldest)
        }
    }

    /// Evicts values until only a share is kept, and discards all suspended loads.
    func trim(to share: Double) {
        while let entry = table.nextSuspended { forget(entry) }
        table.keepEvictionOrder()
        let values = Int(Double(table.tally.settled) * share)
        let bytes = Int(Double(table.tally.bytes) * share)
        while table.tally.settled > values || table.tally.bytes > bytes,
            let entry = table.nextEvictable, !entry.life.isWanted
        {
            note(entry, .evicted, "memory is short")
            discard(entry)
            move(entry, .evicted)
            removeIfBlank(entry)
        }
    }

    // MARK: - Admission

    private var byteLimit: Int { configuration.byteLimit ?? .max }

    /// Returns the expected maximum number of bytes that a key will hold.
    ///
    /// It is not only the size of its value: otherwise the key could be admitted, evict another
    /// while it is loaded, and be evicted by that in turn, for ever.
    private func expectedBytes(of entry: Entry) -> Int {
        guard configuration.byteLimit != nil else { return 0 }
        let mean = table.tally.needed == 0 ? 0 : table.tally.neededBytes / table.tally.needed
        return entry.mostBytes > 0 ? entry.mostBytes : mean
    }

    /// Returns whether a wanted key is worth loading: it is subscribed to, or there is room for it,
    /// or it is more urgent than a value that is kept.
    func isAdmitted(_ entry: Entry) -> Bool {
        guard table.isBounded, entry.life.isWanted, !entry.isSubscribed else { return true }
        let tally = table.tally
        if tally.needed + tally.queued < configuration.capacity,
            tally.neededBytes + expectedBytes(of: entry) <= byteLimit
        {
            return true
        }
        return isWorthExchange(entry)
    }

    /// Returns whether a key is more urgent than the value that it would replace, and that value's
    /// room is enough.
    private func isWorthExchange(_ entry: Entry) -> Bool {
        guard let level = entry.level, let least = table.nextEvictable, let other = least.level,
            level < other
        else { return false }
        return table.tally.neededBytes - least.bytes + expectedBytes(of: entry) <= byteLimit
    }

    /// Readmits entries that wait for room, as far as there is room, the most urgent first.
    ///
    /// An entry takes free room, or that of a less urgent value: so this terminates.
    func readmit() {
        while let entry = table.nextMemoryBlocked {
            let tally = table.tally
            let hasRoom =
                tally.needed + tally.claims < configuration.capacity
                && tally.neededBytes + tally.claimedBytes + expectedBytes(of: entry) <= byteLimit
            guard hasRoom || tally.claims == 0 && isWorthExchange(entry) else { return }
            move(entry, .roomMade)
        }
    }
}
