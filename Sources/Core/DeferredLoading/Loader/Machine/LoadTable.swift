internal import IdleLoop
internal import LullLibC

/// A table of a loader's keys, with the orders of offers, retries and evictions.
///
/// Every change of an entry goes through ``refresh(_:)``, which updates orders and sums: no other
/// code needs to know which of them a change affects. O(log n) for each affected order, O(1) for
/// the others.
final class LoadTable {
    typealias Entry = LoadEntry

    /// The maximum number of bytes of work in progress; a key that takes more waits until it's in
    /// view.
    private(set) var workLimit = Int.max

    private var bySlot: ContiguousArray<Entry?> = []
    private var free: [Int] = []
    private(set) var sums = LoadCounts()
    /// The few entries that are in progress, in the order in which they were begun.
    private(set) var inProgress: [Entry] = []
    /// The number of bytes that those in progress hold.
    var workBytes: Int { inProgress.reduce(0) { $0 + $1.bytes } }
    /// The few entries whose jobs go on although nobody wants them, the longest first.
    private(set) var leftOver: [Entry] = []

    /// Entries that wait for a place in the queue, the most urgent first.
    private var waiting = IndexedHeap()
    /// Entries that may be evicted, the first to be evicted first.
    private var evictable = IndexedHeap()
    /// The times of retries, and the time limits of fetches.
    private var deadlines = IndexedHeap()

    var count: Int { bySlot.count - free.count }
    /// All entries, in the order of their slots.
    var all: [Entry] { bySlot.compactMap { $0 } }

    var nextWaiting: Entry? { waiting.first.flatMap { bySlot[$0.slot] } }
    var nextEvictable: Entry? { evictable.first.flatMap { bySlot[$0.slot] } }
    /// The entry with the earliest deadline.
    var nextDue: Entry? { deadlines.first.flatMap { bySlot[$0.slot] } }

    /// The most urgent entry that waits and is subscribed to.
    ///
    /// O(n).
    var nextShownWaiting: Entry? {
        all.filter { $0.isWaiting && $0.isSubscribed }.min { place(of: $0) < place(of: $1) }
    }

    /// The next entry to be evicted to free bytes: a failure has none, and would be retried.
    ///
    /// O(1) unless that is so of the next entry, else O(n).
    var nextWithBytes: Entry? {
        guard let next = nextEvictable, next.bytes == 0 else { return nextEvictable }
        let heavy = all.filter { $0.bytes > 0 && mayBeEvicted($0) }
        return heavy.min { eviction(of: $0) < eviction(of: $1) }
    }

    /// Returns whether more than `count` values that may be evicted are less urgent than an entry.
    func hasLessUrgent(than entry: Entry, moreThan count: Int) -> Bool {
        let order = HeapOrder(major: Self.eviction(at: entry.order ?? .last), minor: 0)
        return evictable.hasMore(than: count, before: order)
    }

    func add(_ entry: Entry) {
        guard entry.slot < 0 else { return }
        let slot = free.popLast() ?? bySlot.count
        entry.slot = slot
        if slot == bySlot.count { bySlot.append(entry) } else { bySlot[slot] = entry }
    }

    func remove(_ entry: Entry) {
        refresh(entry)
        count(entry, as: LoadCounts())
        bySlot[entry.slot] = nil
        free.append(entry.slot)
        entry.slot = -1
    }

    /// Marks all entries as gone, without their jobs; the table isn't used any more.
    func close() {
        for entry in all { (entry.slot, entry.job) = (-1, nil) }
    }

    /// Updates the orders and sums after a change of an entry.
    func refresh(_ entry: Entry) {
        count(entry, as: LoadCounts(of: entry))
        let slot = entry.slot
        entry.hasWaited = entry.isWaiting
        waiting.set(mayBeOffered(entry) ? place(of: entry) : nil, slot: slot)
        deadlines.set(isDue(entry) ? due(entry) : nil, slot: slot)
        evictable.set(mayBeEvicted(entry) ? eviction(of: entry) : nil, slot: slot)
    }

    private func count(_ entry: Entry, as counts: LoadCounts) {
        let old = entry.counted
        guard counts != old else { return }
        sums.add(old, times: -1)
        sums.add(counts, times: 1)
        entry.counted = counts
        if counts.inProgress > old.inProgress { inProgress.append(entry) }
        if counts.inProgress < old.inProgress { inProgress.removeAll { $0 === entry } }
        if counts.leftOver > old.leftOver { leftOver.append(entry) }
        if counts.leftOver < old.leftOver { leftOver.removeAll { $0 === entry } }
    }

    /// Changes the maximum number of bytes of work in progress.
    ///
    /// O(n).
    func limitWork(to bytes: Int) {
        workLimit = bytes
        for entry in all { refresh(entry) }
    }

    // MARK: - Orders

    /// Returns whether a key waits, and there may be memory for it: one that is too large waits until
    /// it's in view, and keeps no other waiting.
    private func mayBeOffered(_ entry: Entry) -> Bool {
        entry.isWaiting && (entry.mostBytes <= workLimit || entry.isInView)
    }

    private func place(of entry: Entry) -> HeapOrder {
        HeapOrder(major: (entry.order ?? .last).level, minor: entry.since)
    }

    private func isDue(_ entry: Entry) -> Bool {
        entry.deadline < .distantFuture
            && (entry.stage == .failed ? entry.isWanted : entry.isFetching)
    }

    private func due(_ entry: Entry) -> HeapOrder {
        HeapOrder(major: UInt64(max(0, entry.deadline.nanoseconds)), minor: 0)
    }

    private func mayBeEvicted(_ entry: Entry) -> Bool {
        entry.isSettled && !entry.isQueued && !entry.isSubscribed
    }

    /// Returns the place in the order of eviction: unwanted values by their last use, those that were
    /// never used first; then wanted ones, the least urgent first.
    private func eviction(of entry: Entry) -> HeapOrder {
        let place = entry.order.map(Self.eviction(at:)) ?? entry.lastUsed
        return HeapOrder(major: place, minor: entry.since)
    }

    private static func eviction(at order: LoadOrder) -> UInt64 { .max - order.level }

    /// Checks that the orders and sums agree with the entries.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        waiting.checkInvariants()
        evictable.checkInvariants()
        deadlines.checkInvariants()
        var sums = LoadCounts()
        for entry in all {
            let slot = entry.slot
            precondition(bySlot[slot] === entry, "a slot has its entry")
            precondition(entry.counted == LoadCounts(of: entry), "every change is counted")
            sums.add(entry.counted, times: 1)
            precondition(
                waiting.order(of: slot) == (mayBeOffered(entry) ? place(of: entry) : nil),
                "what waits for the queue is in its order")
            precondition(
                deadlines.order(of: slot) == (isDue(entry) ? due(entry) : nil),
                "what is due is known")
            precondition(
                evictable.order(of: slot) == (mayBeEvicted(entry) ? eviction(of: entry) : nil),
                "what may go is known")
        }
        precondition(sums == self.sums, "the sums are kept")
        precondition(inProgress.count == sums.inProgress, "what is in progress is known")
        precondition(leftOver.count == sums.leftOver, "what nobody wants any more is known")
        precondition(bySlot.count - free.count == all.count, "slots are used or free")
    }
}
