/// The timers of a loop: a heap by deadline, one by the latest moment of those that have a
/// tolerance, and what to do for each.
struct TimerTable {
    struct Entry {
        /// In nanoseconds; zero if it fires once.
        let period: Int64
        /// In nanoseconds; negative if it has none.
        let tolerance: Int64
        let body: () -> Void
    }

    private var heap = IndexedHeap<Due>()
    private var limits = IndexedHeap<Due>()
    private var entries = SlotTable<Entry>()
    private var sequence: UInt64 = 0

    /// When the earliest is due; `distantFuture` if there's none.
    private(set) var next = Instant.distantFuture
    /// The earliest of the moments at which those with a tolerance should have fired.
    private(set) var latest = Instant.distantFuture

    /// The number that the next timer to be armed will bear.
    var horizon: UInt64 { sequence + 1 }

    mutating func add(at deadline: Instant, _ entry: Entry) -> SlotTable<Entry>.ID {
        let id = entries.insert(entry)
        arm(id.index, at: deadline, tolerance: entry.tolerance)
        return id
    }

    private mutating func arm(_ slot: Int, at deadline: Instant, tolerance: Int64) {
        sequence += 1
        heap.insert(Due(deadline: deadline, sequence: sequence), slot: slot)
        if tolerance >= 0 {
            let limit = Due(deadline: deadline.later(by: tolerance), sequence: sequence)
            limits.insert(limit, slot: slot)
            latest = limits.first?.order.deadline ?? .distantFuture
        }
        next = heap.first?.order.deadline ?? .distantFuture
    }

    /// Takes a timer out and gives it up, nil if it isn't there.
    mutating func remove(_ id: SlotTable<Entry>.ID) -> Entry? {
        guard entries.contains(id) else { return nil }
        return disarm(id.index)
    }

    private mutating func disarm(_ slot: Int) -> Entry {
        heap.remove(slot: slot)
        let entry = entries.remove(at: slot)
        if entry.tolerance >= 0 {
            limits.remove(slot: slot)
            latest = limits.first?.order.deadline ?? .distantFuture
        }
        next = heap.first?.order.deadline ?? .distantFuture
        return entry
    }

    /// Takes out the earliest timer that is due and was armed before `horizon`, and arms it anew
    /// if it repeats.
    ///
    /// A repeating timer keeps its rhythm; beats that were missed are skipped, not made up for.
    mutating func popDue(at now: Instant, before horizon: UInt64) -> (() -> Void)? {
        guard let (due, slot) = heap.first, due.deadline <= now, due.sequence < horizon else {
            return nil
        }
        let entry = entries[slot]
        if entry.period > 0 {
            let missed = now.since(due.deadline) / entry.period
            let next = due.deadline.later(by: entry.period * (missed + 1))
            arm(slot, at: next, tolerance: entry.tolerance)
        } else {
            _ = disarm(slot)
        }
        return entry.body
    }

    /// Checks that the heaps agree.
    ///
    /// O(n).
    func checkInvariants() {
        heap.checkInvariants()
        limits.checkInvariants()
        precondition(heap.count == entries.count, "every timer is armed")
        precondition(limits.count <= heap.count, "who has a limit is armed")
    }
}

/// The name of a timer, with which it can be cancelled.
public struct TimerID: Hashable, Sendable {
    let slot: SlotTable<TimerTable.Entry>.ID
}
