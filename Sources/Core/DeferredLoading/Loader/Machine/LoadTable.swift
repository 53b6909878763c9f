internal import IdleLoop
internal import LullLibC

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
        let level: DemandLevel
        let since: UInt64

        static func < (lhs: OfferOrder, rhs: OfferOrder) -> Bool {
            lhs.level == rhs.level ? lhs.since < rhs.since : lhs.level < rhs.level
        }
    }

    /// The position of a value in the order of eviction; the least is evicted first.
    struct EvictionOrder: Comparable {
        /// The level of a wanted value; nil, which goes first, for an unwanted one; then the least
        /// urgent first.
        let level: DemandLevel?
        /// The time of its last use, zero if never; then the time at which it was settled.
        let lastUsed: UInt64
        let since: UInt64

        static func < (lhs: EvictionOrder, rhs: EvictionOrder) -> Bool {
            switch (lhs.level, rhs.level) {
            case (nil, .some): true
            case (.some, nil): false
            case (let first?, let second?) where first != second: second < first
            default: (lhs.lastUsed, lhs.since) < (rhs.lastUsed, rhs.since)
            }
        }
    }

    /// The table's record of an entry.
    struct Record {
        /// The number of its slot; -1 while it has none.
        fileprivate(set) var slot = -1
        /// Whether it was removed from the table.
        fileprivate(set) var isGone = false
        /// Its contribution to the sums, as last added.
        fileprivate(set) var counted = LoadCounts()
        /// Whether it is among those in progress.
        fileprivate var isInProgress = false
    }

    /// Whether values may have to be evicted, so that their order is maintained.
    private(set) var isBounded: Bool
    /// The maximum number of bytes of work in progress; a key that takes more waits until it's in
    /// view.
    private(set) var workLimit = Int.max

    private var bySlot: ContiguousArray<Entry?> = []
    private var free: [Int] = []
    private(set) var sums = LoadCounts()
    /// The few entries that are in progress, in the order in which they were begun.
    private(set) var inProgress: [Entry] = []

    /// Entries that wait for a place in the queue, the most urgent first.
    private var waiting = SlotHeap<OfferOrder>()
    /// Entries that wait for room in memory, the most urgent first.
    private var memoryBlocked = SlotHeap<OfferOrder>()
    /// Entries that may be evicted, the first to be evicted first.
    private var evictable = SlotHeap<EvictionOrder>()
    /// Evictable entries that hold bytes: evicting a failure frees none, and it would be retried.
    private var withBytes = SlotHeap<EvictionOrder>()
    /// Loads that were begun or fetched and abandoned, the longest ago first.
    private var suspended = SlotHeap<UInt64>()
    /// Unwanted loads that are to be finished, the longest in their place first.
    private var finishing = SlotHeap<UInt64>()
    /// Those of them that have a job in the queue, which may be displaced.
    private var displaceable = SlotHeap<UInt64>()
    /// The times of retries, and the time limits of fetches.
    private var deadlines = SlotHeap<Instant>()

    init(isBounded: Bool) {
        self.isBounded = isBounded
    }

    var count: Int { bySlot.count - free.count }
    /// All entries, in the order of their slots.
    var all: [Entry] { bySlot.compactMap { $0 } }
    var suspendedCount: Int { suspended.count }

    var nextWaiting: Entry? { waiting.first.flatMap { bySlot[$0.slot] } }
    var nextMemoryBlocked: Entry? { memoryBlocked.first.flatMap { bySlot[$0.slot] } }
    var nextSuspended: Entry? { suspended.first.flatMap { bySlot[$0.slot] } }
    var nextFinishing: Entry? { finishing.first.flatMap { bySlot[$0.slot] } }
    var nextDisplaceable: Entry? { displaceable.first.flatMap { bySlot[$0.slot] } }
    var nextDeadline: (instant: Instant, entry: Entry)? {
        deadlines.first.flatMap { due in bySlot[due.slot].map { (due.order, $0) } }
    }

    var nextEvictable: Entry? { evictable.first.flatMap { bySlot[$0.slot] } }
    /// The next entry to be evicted to free bytes.
    var nextWithBytes: Entry? { withBytes.first.flatMap { bySlot[$0.slot] } }

    func add(_ entry: Entry) {
        guard entry.record.slot < 0 else { return }
        let slot = free.popLast() ?? bySlot.count
        entry.record.slot = slot
        if slot == bySlot.count { bySlot.append(entry) } else { bySlot[slot] = entry }
    }

    func remove(_ entry: Entry) {
        refresh(entry)
        sums.add(entry.record.counted, times: -1)
        entry.record.counted = LoadCounts()
        entry.record.isGone = true
        bySlot[entry.record.slot] = nil
        free.append(entry.record.slot)
    }

    /// Marks all entries as gone; the table isn't used any more.
    func close() {
        for entry in all { entry.record.isGone = true }
    }

    /// Updates the orders and sums after a change of an entry.
    func refresh(_ entry: Entry) {
        guard !entry.isGone else { return }
        let counts = entry.counts
        if counts != entry.record.counted {
            sums.add(entry.record.counted, times: -1)
            sums.add(counts, times: 1)
            entry.record.counted = counts
        }
        if entry.isInProgress != entry.record.isInProgress {
            entry.record.isInProgress = entry.isInProgress
            inProgress.removeAll { $0 === entry }
            if entry.isInProgress { inProgress.append(entry) }
        }
        let slot = entry.record.slot
        let life = entry.life
        waiting.set(life.place == .waiting ? offer(of: entry) : nil, slot: slot)
        memoryBlocked.set(mayGetRoom(entry) ? offer(of: entry) : nil, slot: slot)
        suspended.set(life.place == .suspended ? entry.since : nil, slot: slot)
        let isFinishing = life.claim == .finishing && !life.isWithdrawn
        finishing.set(isFinishing ? entry.since : nil, slot: slot)
        let isDisplaceable = isFinishing && life.place == .queued
        displaceable.set(isDisplaceable ? entry.since : nil, slot: slot)
        deadlines.set(deadline(of: entry), slot: slot)
        guard isBounded else { return }
        let order = eviction(of: entry)
        evictable.set(order, slot: slot)
        withBytes.set(entry.bytes > 0 ? order : nil, slot: slot)
    }

    /// Maintains the order of eviction from now on, even if there are no limits.
    ///
    /// O(n log n) the first time.
    func keepEvictionOrder() {
        guard !isBounded else { return }
        isBounded = true
        for entry in all { refresh(entry) }
    }

    /// Changes the maximum number of bytes of work in progress.
    ///
    /// O(n).
    func limitWork(to bytes: Int) {
        workLimit = bytes
        for entry in all { refresh(entry) }
    }

    /// Returns whether a key waits for room, and there may be some: one that is too large for all
    /// waits until it's in view, and keeps no other waiting.
    private func mayGetRoom(_ entry: Entry) -> Bool {
        entry.life.place == .memoryBlocked && (entry.isInView || entry.mostBytes <= workLimit)
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
        for heap in [waiting, memoryBlocked] { heap.checkInvariants() }
        for heap in [suspended, finishing, displaceable] { heap.checkInvariants() }
        for heap in [evictable, withBytes] { heap.checkInvariants() }
        deadlines.checkInvariants()
        var sums = LoadCounts()
        for entry in all {
            let slot = entry.record.slot
            let life = entry.life
            precondition(!entry.isGone, "what is known isn't gone")
            precondition(bySlot[slot] === entry, "a slot has its entry")
            precondition(entry.record.counted == entry.counts, "every change is counted")
            sums.add(entry.counts, times: 1)
            precondition(
                waiting.order(of: slot) == (life.place == .waiting ? offer(of: entry) : nil),
                "what waits for the queue is in its order")
            precondition(
                memoryBlocked.contains(slot: slot) == mayGetRoom(entry), "what has no room waits")
            precondition(
                inProgress.contains { $0 === entry } == entry.isInProgress,
                "what is in progress is known")
            precondition(
                suspended.contains(slot: slot) == (life.place == .suspended),
                "what is abandoned is suspended")
            precondition(deadlines.order(of: slot) == deadline(of: entry), "what is due is known")
            guard isBounded else { continue }
            let order = eviction(of: entry)
            precondition(evictable.order(of: slot) == order, "what may go is known")
            precondition(
                withBytes.order(of: slot) == (entry.bytes > 0 ? order : nil),
                "what may go for its bytes is known")
        }
        precondition(sums == self.sums, "the sums are kept")
        precondition(bySlot.count - free.count == all.count, "slots are used or free")
    }
}
