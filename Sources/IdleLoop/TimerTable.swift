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

    /// The name of a timer: its slot, and the stamp that tells it from others that had the slot.
    typealias ID = SlotTable<Entry>.ID

    private var heap = IndexedHeap<Due>()
    private var limits = IndexedHeap<Due>()
    /// What to do, by slot; the heap knows which are in use, so that no other list is looked at.
    private var entries: ContiguousArray<Entry?> = []
    private var free: ContiguousArray<UInt32> = []
    private var sequence: UInt64 = 0

    /// When the earliest is due; `distantFuture` if there's none.
    private(set) var next = Instant.distantFuture
    /// The earliest of the moments at which those with a tolerance should have fired.
    private(set) var latest = Instant.distantFuture

    /// The number that the next timer to be armed will bear.
    var horizon: UInt64 { sequence + 1 }

    mutating func add(at deadline: Instant, _ entry: Entry) -> ID {
        let slot: Int
        if let last = free.popLast() {
            slot = Int(last)
            entries[slot] = entry
        } else {
            slot = entries.count
            entries.append(entry)
        }
        sequence += 1
        heap.insert(Due(deadline: deadline, sequence: sequence), slot: slot)
        limit(slot, at: deadline, tolerance: entry.tolerance)
        next = heap.first?.order.deadline ?? .distantFuture
        return ID(index: slot, generation: heap.stamp(ofSlot: slot))
    }

    private mutating func limit(_ slot: Int, at deadline: Instant, tolerance: Int64) {
        guard tolerance >= 0 else { return }
        let limit = Due(deadline: deadline.later(by: tolerance), sequence: sequence)
        limits.insert(limit, slot: slot)
        latest = limits.first?.order.deadline ?? .distantFuture
    }

    /// Takes a timer out and gives it up, nil if it isn't there.
    mutating func remove(_ id: ID) -> Entry? {
        guard heap.contains(slot: id.index, stamp: id.generation) else { return nil }
        return disarm(id.index)
    }

    private mutating func disarm(_ slot: Int) -> Entry? {
        heap.remove(slot: slot)
        free.append(UInt32(truncatingIfNeeded: slot))
        let entry = entries[slot].take()
        if let entry, entry.tolerance >= 0 {
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
        guard let (due, slot) = heap.first, due.deadline <= now, due.sequence < horizon,
            let entry = entries[slot]
        else { return nil }
        if entry.period > 0 {
            let missed = now.since(due.deadline) / entry.period
            let beat = due.deadline.later(by: entry.period * (missed + 1))
            sequence += 1
            heap.moveFirst(to: Due(deadline: beat, sequence: sequence))
            limit(slot, at: beat, tolerance: entry.tolerance)
            next = heap.first?.order.deadline ?? .distantFuture
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
        precondition(
            heap.count == entries.count { $0 != nil }, "every timer is armed")
        precondition(heap.count + free.count == entries.count, "every other slot is free")
        precondition(limits.count <= heap.count, "who has a limit is armed")
    }
}

/// The name of a timer, with which it can be cancelled.
public struct TimerID: Hashable, Sendable {
    let slot: TimerTable.ID
}
