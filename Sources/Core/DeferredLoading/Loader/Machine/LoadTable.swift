internal import IdleLoop

/// A table of a loader's keys, with the orders of offers, retries and evictions.
///
/// Every change of an entry goes through ``refresh(_:)``, which updates orders and sums: no other
/// code needs to know which of them a change affects. O(log n) for each affected order, O(1) for
/// the others. It is an object, since access to a part of a large struct would copy all of it
/// first.
final class LoadTable {
    typealias Entry = LoadEntry

    /// The position of an entry that waits for the queue or for room.
    struct OfferOrder: Comparable {
        let level: WishLevel
        let since: UInt64

        static func < (lhs: OfferOrder, rhs: OfferOrder) -> Bool {
            lhs.level == rhs.level ? lhs.since < rhs.since : lhs.level < rhs.level
        }
    }

    /// Whether values may have to be evicted, so that their order is maintained.
    private(set) var isBounded: Bool

    private var bySlot: ContiguousArray<Entry?> = []
    private var free: [Int] = []
    private(set) var tally = LoadTally()

    /// Entries that wait for a place in the queue, the most urgent first.
    private var held = SlotHeap<OfferOrder>()
    /// Entries that wait for room in memory, the most urgent first.
    private var memoryBlocked = SlotHeap<OfferOrder>()
    /// Entries that may be evicted, the first to be evicted first.
    private var evictable = SlotHeap<EvictionOrder>()
    /// Evictable entries that hold bytes: evicting a failure frees none, and it would be retried.
    private var heavy = SlotHeap<EvictionOrder>()
    /// Loads that were begun or fetched and abandoned, the longest ago first.
    private var suspended = SlotHeap<UInt64>()
    /// Unwanted jobs in the queue, the longest there first.
    private var kept = SlotHeap<UInt64>()
    /// The times of retries, and the time limits of fetches.
    private var deadlines = SlotHeap<Instant>()

    init(isBounded: Bool) {
        self.isBounded = isBounded
    }

    var count: Int { bySlot.count - free.count }
    /// All entries, in the order of their slots.
    var all: [Entry] { bySlot.compactMap { $0 } }
    var suspendedCount: Int { suspended.count }

    var nextHeld: Entry? { held.first.flatMap { bySlot[$0.slot] } }
    var nextMemoryBlocked: Entry? { memoryBlocked.first.flatMap { bySlot[$0.slot] } }
    var nextSuspended: Entry? { suspended.first.flatMap { bySlot[$0.slot] } }
    var nextKept: Entry? { kept.first.flatMap { bySlot[$0.slot] } }
    var nextDeadline: (instant: Instant, entry: Entry)? {
        deadlines.first.flatMap { due in bySlot[due.slot].map { (due.order, $0) } }
    }

    /// The next entry to be evicted.
    var nextEvictable: Entry? { evictable.first.flatMap { bySlot[$0.slot] } }
    /// The next entry to be evicted to free bytes.
    var nextHeavy: Entry? { heavy.first.flatMap { bySlot[$0.slot] } }

    /// Adds an entry, if it is new.
    func add(_ entry: Entry) {
        guard entry.slot < 0 else { return }
        let slot = free.popLast() ?? bySlot.count
        entry.slot = slot
        if slot == bySlot.count { bySlot.append(entry) } else { bySlot[slot] = entry }
    }

    /// Removes an entry that holds nothing.
    func remove(_ entry: Entry) {
        refresh(entry)
        tally.add(entry.counted, times: -1)
        entry.counted = LoadTally()
        entry.isGone = true
        bySlot[entry.slot] = nil
        free.append(entry.slot)
    }

    /// Updates the orders and sums after a change of an entry.
    func refresh(_ entry: Entry) {
        guard !entry.isGone else { return }
        let tally = entry.tally
        if tally != entry.counted {
            self.tally.add(entry.counted, times: -1)
            self.tally.add(tally, times: 1)
            entry.counted = tally
        }
        let slot = entry.slot
        let life = entry.life
        held.set(life.place == .held ? offer(of: entry) : nil, slot: slot)
        memoryBlocked.set(life.place == .memoryBlocked ? offer(of: entry) : nil, slot: slot)
        suspended.set(life.place == .suspended ? entry.since : nil, slot: slot)
        kept.set(
            life.place == .queued && life.claim == .kept && !life.isWithdrawn ? entry.since : nil,
            slot: slot)
        deadlines.set(deadline(of: entry), slot: slot)
        guard isBounded else { return }
        let order = eviction(of: entry)
        evictable.set(order, slot: slot)
        heavy.set(entry.bytes > 0 ? order : nil, slot: slot)
    }

    /// Maintains the order of eviction from now on, even if there are no limits.
    ///
    /// O(n log n) the first time.
    func keepEvictionOrder() {
        guard !isBounded else { return }
        isBounded = true
        for entry in bySlot { if let entry { refresh(entry) } }
    }

    private func offer(of entry: Entry) -> OfferOrder {
        OfferOrder(level: entry.level ?? .last, since: entry.since)
    }

    private func deadline(of entry: Entry) -> Instant? {
        guard entry.deadline < .distantFuture else { return nil }
        let isDue = entry.life.stage == .failed ? entry.life.isWanted : entry.isFetching
        return isDue ? entry.deadline : nil
    }

    private func eviction(of entry: Entry) -> EvictionOrder? {
        guard entry.life.isSettled, entry.life.place == .nowhere, !entry.isSubscribed else {
            return nil
        }
        return EvictionOrder(
            level: entry.life.isWanted ? entry.level : nil,
            lastUsed: entry.lastUsed, since: entry.since)
    }

    /// Checks that the orders and sums agree with the entries.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        for heap in [held, memoryBlocked] { heap.checkInvariants() }
        for heap in [suspended, kept] { heap.checkInvariants() }
        for heap in [evictable, heavy] { heap.checkInvariants() }
        deadlines.checkInvariants()
        var sum = LoadTally()
        for entry in all {
            precondition(!entry.isGone, "what is known isn't gone")
            precondition(bySlot[entry.slot] === entry, "a slot has its entry")
            precondition(entry.counted == entry.tally, "every change is counted")
            sum.add(entry.tally, times: 1)
            let slot = entry.slot
            let life = entry.life
            precondition(held.contains(slot: slot) == (life.place == .held), "who waits is held")
            precondition(
                held.order(of: slot).map { $0 == offer(of: entry) } ?? true, "in its order")
            precondition(
                memoryBlocked.contains(slot: slot) == (life.place == .memoryBlocked),
                "who has no room waits")
            precondition(
                suspended.contains(slot: slot) == (life.place == .suspended),
                "what is given up is suspended")
            precondition(deadlines.order(of: slot) == deadline(of: entry), "what is due is known")
            precondition(
                !isBounded || evictable.order(of: slot) == eviction(of: entry),
                "what may go is known")
            precondition(
                !isBounded
                    || heavy.order(of: slot) == (entry.bytes > 0 ? eviction(of: entry) : nil),
                "what may go for its bytes is known")
        }
        precondition(sum == tally, "the sums are kept")
        precondition(bySlot.count - free.count == all.count, "slots are used or free")
    }
}
