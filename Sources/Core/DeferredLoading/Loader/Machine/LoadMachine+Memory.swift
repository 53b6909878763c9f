internal import LullLibC

// Eviction, and the admission of loads when memory is short.
extension LoadMachine {
    /// The maximum number of loads that take slices in turn, since each keeps its decoder.
    private static let begunAtOnce = 4

    private var byteLimit: Int { limits.byteLimit ?? .max }
    private var isOverBytes: Bool { table.sums.bytes > byteLimit }
    private var isOverCount: Bool { table.sums.settled > limits.capacity }

    /// Changes the limit of bytes, half of which is for work in progress.
    func limitBytes(to count: Int) {
        limits.byteLimit = count
        table.limitWork(to: count / 2)
    }

    // MARK: - Eviction

    /// Gives up loads and values until the limits are kept, or the rest is needed.
    func makeRoom() {
        defer { newest = nil }
        while let excess = nextExcessWork {
            note(excess, .evicted, "more urgent loads are in progress")
            startOver(excess)
        }
        while isOverCount || isOverBytes {
            let settled = isOverCount ? table.nextEvictable : table.nextWithBytes
            if isOverBytes, settled?.isWanted != false,
                let unwanted = table.leftOver.first(where: { $0.bytes > 0 })
            {
                startOver(unwanted)
            } else if let settled {
                evict(settled, lackOfRoom(for: settled))
            } else {
                return
            }
        }
    }

    /// The least urgent load in progress out of view, while too many are begun, or all of them take
    /// too much memory.
    ///
    /// The load that was begun last has its turn, however many there are. One that holds no memory
    /// gives none back: it would be begun again at once.
    private var nextExcessWork: Entry? {
        var work = table.inProgress
        if table.workBytes > table.workLimit {
            work.removeAll { $0.bytes == 0 }
        } else {
            guard work.count > Self.begunAtOnce else { return nil }
            work.removeAll { !$0.takesSlices }
            guard work.count > Self.begunAtOnce else { return nil }
            work.removeLast()
        }
        return work.filter { !$0.isInView }.max { $0.order ?? .last < $1.order ?? .last }
    }

    private func lackOfRoom(for entry: Entry) -> String {
        let room = newest.map { $0 === entry ? "there is none for it" : "room for \($0.name)" }
        let limit = isOverBytes ? "\(byteLimit) bytes" : "\(limits.capacity) values"
        return "\(room ?? "room is short"): \(limit) are kept"
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
        let values = Int(Double(table.sums.settled) * share)
        let bytes = Int(Double(table.sums.bytes) * share)
        while table.sums.settled > values || table.sums.bytes > bytes,
            let entry = table.nextEvictable, !entry.isWanted
        {
            evict(entry, "memory is short")
        }
    }

    // MARK: - Admission

    /// Returns whether a wanted key is worth loading: it is subscribed to, or there is room for it,
    /// or it is more urgent than a value that is kept.
    func admits(_ entry: Entry) -> Bool {
        guard !entry.isSubscribed else { return true }
        guard hasRoomToWork(on: entry) else { return false }
        let sums = table.sums
        // Entries that are evicted first aren't counted.
        let others = sums.neededBytes + sums.unsettledBytes - entry.bytes
        let bytes = others + expectedBytes(of: entry)
        if sums.needed + sums.queued < limits.capacity, bytes <= byteLimit { return true }
        // It takes the place of the next value, beside those which others in the queue replace.
        guard let least = table.nextEvictable, least.isWanted,
            table.hasLessUrgent(than: entry, moreThan: sums.queued)
        else { return false }
        return bytes - least.bytes <= byteLimit
    }

    /// Returns whether the memory that work on a key is known to take is free, or taken by less urgent
    /// work out of view.
    private func hasRoomToWork(on entry: Entry) -> Bool {
        guard entry.mostBytes > 0, !entry.isInView, let order = entry.order else { return true }
        let others = table.inProgress.reduce(0) {
            $0 + ($1.isInView || $1.order ?? .last <= order ? $1.bytes : 0)
        }
        return others + entry.mostBytes <= table.workLimit
    }

    /// Returns the expected maximum number of bytes that a key will hold.
    ///
    /// It is not only the size of its value: otherwise the key could be admitted, evict another
    /// while it is loaded, and be evicted by that in turn, for ever.
    private func expectedBytes(of entry: Entry) -> Int {
        let sums = table.sums
        guard limits.byteLimit != nil, entry.mostBytes == 0 else { return entry.mostBytes }
        return sums.neededBytes / max(1, sums.needed)
    }

    /// Checks that its records of keys are consistent, and that work in progress keeps its limits.
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
                entry.subscribers.allSatisfy { demand.lists[$0]?.isSubscribed(to: entry) == true },
                "lists know their keys")
        }
        precondition(nextExcessWork == nil, "work in progress has its part of the memory")
    }
}
