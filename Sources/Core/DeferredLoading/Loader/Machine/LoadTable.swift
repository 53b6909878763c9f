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

    /// The position of a value in the order of eviction; the least is evicted first.
    struct EvictionOrder: Comparable {
        /// The place of a wanted value, the last of which goes first; nil, which goes before all, for
        /// an unwanted one.
        let order: LoadOrder?
        /// The time of its last use, zero if never; then the time at which it was settled.
        let lastUsed: UInt64
        let since: UInt64

        static func < (lhs: EvictionOrder, rhs: EvictionOrder) -> Bool {
            switch (lhs.order, rhs.order) {
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
        /// Whether it waited at the last refresh.
        fileprivate(set) var isWaiting = false
        /// Its contribution to the sums, as last added.
        fileprivate(set) var counted = LoadCounts()
        /// Whether it is among those in progress, and among those that nobody wants.
        fileprivate var isInProgress = false
        fileprivate var isLeftOver = false
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
    /// The few entries whose jobs go on although nobody wants them, the longest first.
    private(set) var leftOver: [Entry] = []

    /// Entries that wait for a place in the queue, the most urgent first.
    private var waiting = SlotHeap<LoadOrder>()
    /// Entries that may be evicted, the first to be evicted first.
    private var evictable = SlotHeap<EvictionOrder>()
    /// The times of retries, and the time limits of fetches.
    private var deadlines = SlotHeap<Instant>()

    init(isBounded: Bool) {
        self.isBounded = isBounded
    }

    var count: Int { bySlot.count - free.count }
    /// All entries, in the order of their slots.
    var all: [Entry] { bySlot.compactMap { $0 } }

    var nextWaiting: Entry? { waiting.first.flatMap { bySlot[$0.slot] } }
    var nextEvictable: Entry? { evictable.first.flatMap { bySlot[$0.slot] } }
    var nextDeadline: (instant: Instant, entry: Entry)? {
        deadlines.first.flatMap { due in bySlot[due.slot].map { (due.order, $0) } }
    }

    /// The most urgent entry that waits and is subscribed to.
    ///
    /// O(n).
    var nextShownWaiting: Entry? {
        all.filter { $0.isWaiting && $0.isSubscribed }.min { waitingOrder($0) < waitingOrder($1) }
    }

    /// The next entry to be evicted to free bytes: a failure has none, and would be retried.
    ///
    /// O(1) unless that is so of the next entry, else O(n).
    var nextWithBytes: Entry? {
        guard let next = nextEvictable, next.bytes == 0 else { return nextEvictable }
        var least: (order: EvictionOrder, entry: Entry)?
        for entry in all where entry.bytes > 0 {
            guard let order = eviction(of: entry), least.map({ order < $0.order }) ?? true
            else { continue }
            least = (order, entry)
        }
        return least?.entry
    }

    /// Returns whether more than `count` values that may be evicted are less urgent than an entry.
    func hasLessUrgent(than entry: Entry, moreThan count: Int) -> Bool {
        let order = EvictionOrder(order: entry.order, lastUsed: 0, since: 0)
        return evictable.hasMore(than: count, before: order)
    }

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

    /// Marks all entries as gone, without their jobs; the table isn't used any more.
    func close() {
        for entry in all {
            entry.record.isGone = true
            entry.job = nil
        }
    }

    /// Updates the orders and sums after a change of an entry.
    func refresh(_ entry: Entry) {
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
        if entry.isLeftOver != entry.record.isLeftOver {
            entry.record.isLeftOver = entry.isLeftOver
            leftOver.removeAll { $0 === entry }
            if entry.isLeftOver { leftOver.append(entry) }
        }
        let slot = entry.record.slot
        entry.record.isWaiting = entry.isWaiting
        waiting.set(mayBeOffered(entry) ? waitingOrder(entry) : nil, slot: slot)
        deadlines.set(deadline(of: entry), slot: slot)
        if isBounded { evictable.set(eviction(of: entry), slot: slot) }
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

    /// Returns whether a key waits, and there may be memory for it: one that is too large waits until
    /// it's in view, and keeps no other waiting.
    private func mayBeOffered(_ entry: Entry) -> Bool {
        entry.isWaiting && (entry.mostBytes <= workLimit || entry.isInView)
    }

    private func waitingOrder(_ entry: Entry) -> LoadOrder {
        (entry.order ?? .last).numbered(entry.since)
    }

    private func deadline(of entry: Entry) -> Instant? {
        guard entry.deadline < .distantFuture else { return nil }
        let isDue = entry.stage == .failed ? entry.isWanted : entry.isFetching
        return isDue ? entry.deadline : nil
    }

    private func eviction(of entry: Entry) -> EvictionOrder? {
        guard entry.isSettled, !entry.isQueued, !entry.isSubscribed else { return nil }
        return EvictionOrder(order: entry.order, lastUsed: entry.lastUsed, since: entry.since)
    }

    /// Checks that the orders and sums agree with the entries.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        waiting.checkInvariants()
        evictable.checkInvariants()
        deadlines.checkInvariants()
        var sums = LoadCounts()
        for entry in all {
            let slot = entry.record.slot
            precondition(!entry.isGone, "what is known isn't gone")
            precondition(bySlot[slot] === entry, "a slot has its entry")
            precondition(entry.record.counted == entry.counts, "every change is counted")
            sums.add(entry.counts, times: 1)
            precondition(
                waiting.order(of: slot) == (mayBeOffered(entry) ? waitingOrder(entry) : nil),
                "what waits for the queue is in its order")
            precondition(
                inProgress.contains { $0 === entry } == entry.isInProgress,
                "what is in progress is known")
            precondition(
                leftOver.contains { $0 === entry } == entry.isLeftOver,
                "what nobody wants any more is known")
            precondition(deadlines.order(of: slot) == deadline(of: entry), "what is due is known")
            precondition(
                !isBounded || evictable.order(of: slot) == eviction(of: entry),
                "what may go is known")
        }
        precondition(sums == self.sums, "the sums are kept")
        precondition(bySlot.count - free.count == all.count, "slots are used or free")
    }
}
