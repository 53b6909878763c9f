internal import IdleLoop

/// A loader's keys, and the orders in which they are offered, tried again and let go.
///
/// Every change of an entry goes through ``refresh(_:)``, which keeps orders and sums: nobody else
/// needs to know which of them a change touches. O(log n), and O(1) for those that it doesn't.
/// An object, as a question to it would copy all of a value first.
final class LoadTable {
    typealias Entry = LoadEntry

    /// The place of what is offered to the queue, or waits for room.
    struct OfferOrder: Comparable {
        let level: WishLevel
        let since: UInt64

        static func < (lhs: OfferOrder, rhs: OfferOrder) -> Bool {
            lhs.level == rhs.level ? lhs.since < rhs.since : lhs.level < rhs.level
        }
    }

    /// Whether anything ever has to go, so that the order for that is kept.
    private(set) var isBounded: Bool

    private var bySlot: ContiguousArray<Entry?> = []
    private var free: [Int] = []
    private(set) var tally = LoadTally()

    /// Entries that wait for a place in the queue, the most urgent first.
    private var held = SlotHeap<OfferOrder>()
    /// Entries that wait for room in memory, the most urgent first.
    private var crowded = SlotHeap<OfferOrder>()
    /// Entries that may go to make room, the first to go first.
    private var evictable = SlotHeap<EvictionOrder>()
    /// Those of them that hold bytes: a failure that goes makes no room, and would come back.
    private var heavy = SlotHeap<EvictionOrder>()
    /// Loads that were begun or fetched and abandoned, the longest ago first.
    private var suspended = SlotHeap<UInt64>()
    /// Jobs in the queue that nobody wants, the longest there first.
    private var kept = SlotHeap<UInt64>()
    /// Deadlines: of a next try, or of a fetch that takes too long.
    private var deadlines = SlotHeap<Instant>()

    init(isBounded: Bool) {
        self.isBounded = isBounded
    }

    var count: Int { bySlot.count - free.count }
    /// All entries, in the order of their slots.
    var all: [Entry] { bySlot.compactMap { $0 } }
    var suspendedCount: Int { suspended.count }

    var nextHeld: Entry? { held.first.flatMap { bySlot[$0.slot] } }
    var nextCrowded: Entry? { crowded.first.flatMap { bySlot[$0.slot] } }
    var nextSuspended: Entry? { suspended.first.flatMap { bySlot[$0.slot] } }
    var nextKept: Entry? { kept.first.flatMap { bySlot[$0.slot] } }
    var nextDeadline: (instant: Instant, entry: Entry)? {
        deadlines.first.flatMap { due in bySlot[due.slot].map { (due.order, $0) } }
    }

    /// The next entry to go to make room.
    var nextEvictable: Entry? { evictable.first.flatMap { bySlot[$0.slot] } }
    /// The next entry to go to make room for bytes.
    var nextHeavy: Entry? { heavy.first.flatMap { bySlot[$0.slot] } }

    /// Takes in an entry, if it's new.
    func add(_ entry: Entry) {
        guard entry.slot < 0 else { return }
        let slot = free.popLast() ?? bySlot.count
        entry.slot = slot
        if slot == bySlot.count { bySlot.append(entry) } else { bySlot[slot] = entry }
    }

    /// Lets go of an entry that nothing is known of.
    func remove(_ entry: Entry) {
        refresh(entry)
        tally.add(entry.counted, times: -1)
        entry.counted = LoadTally()
        entry.isGone = true
        bySlot[entry.slot] = nil
        free.append(entry.slot)
    }

    /// Puts an entry that was changed where it belongs.
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
        crowded.set(life.place == .crowded ? offer(of: entry) : nil, slot: slot)
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

    /// Keeps the order in which values go also if nothing has to go by itself.
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

    /// Checks that each entry is where it belongs, and that the sums are those of all entries.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        for heap in [held, crowded] { heap.checkInvariants() }
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
                crowded.contains(slot: slot) == (life.place == .crowded), "who has no room waits")
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
