/// A min-heap whose elements can be moved and removed by the slot they belong to.
///
/// Taking a slot out only strikes its entry; struck entries leave when they come to the top, or
/// all at once when they are the majority. So no entry has to know its place, and sifting writes
/// to no memory but the heap's own. Each node has four children, which lie side by side.
///
/// ```swift
/// var due = IndexedHeap<Due>()
/// due.insert(Due(deadline: .milliseconds(20), sequence: 1), slot: 0)
/// due.insert(Due(deadline: .milliseconds(10), sequence: 2), slot: 1)
/// due.remove(slot: 1)
/// due.first?.slot  // 0
/// ```
struct IndexedHeap<Order: Comparable & Sendable>: Sendable {
    private struct Entry {
        var order: Order
        var slot: UInt32
        /// Equal to the slot's stamp unless the entry is struck.
        var stamp: UInt32
    }

    /// The first one is never struck.
    private var entries: ContiguousArray<Entry> = []
    /// By slot: odd while it's in the heap, and another one each time it's put there.
    private var stamps: ContiguousArray<UInt32> = []
    /// How many slots are in the heap.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The least element and its slot.
    var first: (order: Order, slot: Int)? {
        entries.first.map { ($0.order, Int($0.slot)) }
    }

    /// The slots of up to `count` elements from the front of the heap's array: the first is the
    /// least, and the others are among the lesser.
    func slots(upTo count: Int) -> some Sequence<Int> {
        entries.lazy.filter { !isStruck($0) }.prefix(count).map { Int($0.slot) }
    }

    func contains(slot: Int) -> Bool {
        slot < stamps.count && stamps[slot] & 1 == 1
    }

    /// What tells a slot's present stay in the heap from earlier and later ones.
    func stamp(ofSlot slot: Int) -> UInt32 { stamps[slot] }

    /// Whether a slot is here, and has been since it was given this stamp.
    func contains(slot: Int, stamp: UInt32) -> Bool {
        slot < stamps.count && stamps[slot] == stamp && stamp & 1 == 1
    }

    /// Moves the least element, which keeps its stamp.
    ///
    /// O(log n).
    mutating func moveFirst(to order: Order) {
        entries[0].order = order
        siftDown(from: 0)
        sweep()
    }

    /// Adds a slot, or moves one that is there already.
    ///
    /// O(1) for orders that come at random, else O(log n), amortized.
    mutating func insert(_ order: Order, slot: Int) {
        while slot >= stamps.count { stamps.append(0) }
        let old = stamps[slot]
        let isNew = old & 1 == 0
        let stamp = old &+ (isNew ? 1 : 2)
        stamps[slot] = stamp
        count &+= isNew ? 1 : 0
        push(Entry(order: order, slot: UInt32(truncatingIfNeeded: slot), stamp: stamp))
        if !isNew { sweep() }
    }

    /// Takes a slot out, wherever it stands.
    ///
    /// O(1) amortized, but O(log n) for the least one.
    @discardableResult
    mutating func remove(slot: Int) -> Bool {
        guard contains(slot: slot) else { return false }
        stamps[slot] &+= 1
        count &-= 1
        sweep()
        return true
    }

    private func isStruck(_ entry: Entry) -> Bool { stamps[Int(entry.slot)] != entry.stamp }

    /// Sees to it that the first entry isn't struck, and that not too many others are.
    private mutating func sweep() {
        if entries.count > 2 &* count &+ 32 {
            compact()
        } else {
            while let first = entries.first, isStruck(first) { removeFirst() }
        }
    }

    private mutating func compact() {
        let stamps = stamps
        entries.removeAll { stamps[Int($0.slot)] != $0.stamp }
        guard entries.count > 1 else { return }
        for position in stride(from: (entries.count - 2) / 4, through: 0, by: -1) {
            siftDown(from: position)
        }
    }

    private mutating func push(_ entry: Entry) {
        entries.append(entry)
        siftUp(entry, from: entries.count &- 1)
    }

    private mutating func siftUp(_ entry: Entry, from start: Int) {
        var span = entries.mutableSpan
        var position = start
        while position > 0 {
            let parent = (position &- 1) &>> 2
            guard entry.order < span[parent].order else { break }
            span[position] = span[parent]
            position = parent
        }
        span[position] = entry
    }

    /// Fills the root from below, then lets the last entry rise from there: it rarely does.
    private mutating func removeFirst() {
        let last = entries.removeLast()
        guard !entries.isEmpty else { return }
        var span = entries.mutableSpan
        var position = 0
        while let child = Self.leastChild(of: position, in: span) {
            span[position] = span[child]
            position = child
        }
        siftUp(last, from: position)
    }

    private mutating func siftDown(from start: Int) {
        var span = entries.mutableSpan
        let entry = span[start]
        var position = start
        while let child = Self.leastChild(of: position, in: span),
            span[child].order < entry.order
        {
            span[position] = span[child]
            position = child
        }
        span[position] = entry
    }

    @inline(__always)
    private static func leastChild(of position: Int, in span: borrowing MutableSpan<Entry>) -> Int?
    {
        let child = 4 &* position &+ 1
        if child &+ 3 < span.count {
            let left = span[child &+ 1].order < span[child].order ? child &+ 1 : child
            let right = span[child &+ 3].order < span[child &+ 2].order ? child &+ 3 : child &+ 2
            return span[right].order < span[left].order ? right : left
        }
        guard child < span.count else { return nil }
        var least = child
        for other in child &+ 1..<span.count where span[other].order < span[least].order {
            least = other
        }
        return least
    }

    /// Checks that parents come first, and that every slot in the heap has one entry.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        for (position, entry) in entries.enumerated() where position > 0 {
            precondition(
                !(entry.order < entries[(position - 1) / 4].order),
                "a parent comes before its children")
        }
        let live = entries.filter { !isStruck($0) }
        precondition(Set(live.map(\.slot)).count == live.count, "a slot has one entry")
        precondition(live.count == count, "the count is that of the entries that aren't struck")
        precondition(stamps.count { $0 & 1 == 1 } == count, "only slots in the heap have an entry")
        precondition(entries.first.map { !isStruck($0) } ?? true, "the first isn't struck")
        precondition(entries.count <= 2 * count + 32, "few entries are struck")
    }
}
