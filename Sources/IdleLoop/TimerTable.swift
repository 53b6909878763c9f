/// The timers of a loop: a heap by deadline, and what to do for each.
struct TimerTable {
    struct Entry {
        let period: Duration?
        let body: () -> Void
    }

    private var heap = IndexedHeap<Due>()
    private var entries = SlotTable<Entry>()
    private var sequence: UInt64 = 0

    /// When the earliest is due.
    var next: Instant? { heap.first?.order.deadline }

    /// The number that the next timer to be armed will bear.
    var horizon: UInt64 { sequence + 1 }

    mutating func add(at deadline: Instant, _ entry: Entry) -> SlotTable<Entry>.ID {
        sequence += 1
        let id = entries.insert(entry)
        heap.insert(Due(deadline: deadline, sequence: sequence), slot: id.index)
        return id
    }

    mutating func remove(_ id: SlotTable<Entry>.ID) -> Bool {
        guard entries.contains(id) else { return false }
        heap.remove(slot: id.index)
        entries.remove(at: id.index)
        return true
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
        if let period = entry.period {
            let missed = due.deadline.duration(to: now) / period
            let next = due.deadline.advanced(by: period * (missed.rounded(.down) + 1))
            sequence += 1
            heap.insert(Due(deadline: max(next, now), sequence: sequence), slot: slot)
        } else {
            heap.remove(slot: slot)
            entries.remove(at: slot)
        }
        return entry.body
    }
}

/// The name of a timer, with which it can be cancelled.
public struct TimerID: Hashable, Sendable {
    let slot: SlotTable<TimerTable.Entry>.ID
}
