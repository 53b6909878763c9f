// What is kept, and what makes room.
extension LoadMachine {
    /// Lets values go until there's no more kept than there's room for.
    func makeRoom() {
        defer { newest = nil }
        guard table.isBounded else { return }
        while isOverfull {
            let entry = isOverCount ? table.nextEvictable : table.nextHeavy
            if isOverBytes, let suspended = table.nextSuspended {
                forget(suspended)
            } else if isOverBytes, entry?.life.isWanted != false, let kept = table.nextKept {
                // It runs after all that is wanted, which would push each other out till then.
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
        // A wanted key that has failed and makes room doesn't get its tries back: it could come and
        // go for ever.
        if !entry.life.isWanted { entry.failures = 0 }
        clear(entry)
    }

    /// Lets go of what was done of a load that nobody wants.
    private func forget(_ entry: Entry) {
        clear(entry)
        move(entry, .reset)
        removeIfBlank(entry)
    }

    /// Lets the loads go that were given up longest ago, if there are too many.
    func limitSuspended() {
        while table.suspendedCount > configuration.suspended, let oldest = table.nextSuspended {
            forget(oldest)
        }
    }

    /// Lets go of all but a share of what is kept, and of all that was begun and given up.
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

    // MARK: - Room for what is wanted

    private var byteLimit: Int { configuration.byteLimit ?? .max }

    /// Returns the most bytes a key will hold, as far as that can be known.
    ///
    /// If only its value counted, it could come back, push out another while it's loaded, and be
    /// pushed out by that in turn, for ever.
    private func expectedBytes(of entry: Entry) -> Int {
        guard configuration.byteLimit != nil else { return 0 }
        let mean = table.tally.needed == 0 ? 0 : table.tally.neededBytes / table.tally.needed
        return entry.mostBytes > 0 ? entry.mostBytes : mean
    }

    /// Whether a wanted key is worth loading: it's subscribed to, or there's room for it, or it's more
    /// urgent than something that is there.
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

    /// Whether a key is more urgent than what would go for it, and that's enough.
    private func isWorthExchange(_ entry: Entry) -> Bool {
        guard let level = entry.level, let least = table.nextEvictable, let other = least.level,
            level < other
        else { return false }
        return table.tally.neededBytes - least.bytes + expectedBytes(of: entry) <= byteLimit
    }

    /// Readmits entries that wait for room as far as there is some, most urgent first.
    ///
    /// What comes back takes room that's free, or that of something less urgent: so it ends.
    func readmit() {
        while let entry = table.nextCrowded {
            let tally = table.tally
            let hasRoom =
                tally.needed + tally.claims < configuration.capacity
                && tally.neededBytes + tally.claimedBytes + expectedBytes(of: entry) <= byteLimit
            guard hasRoom || tally.claims == 0 && isWorthExchange(entry) else { return }
            move(entry, .roomMade)
        }
    }
}
