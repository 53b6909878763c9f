internal import LullLibC

/// A position in an order: the lesser `major` comes first, and of equal ones the lesser `minor`.
///
/// `minor` is the low half of a sequence number, compared as in serial number arithmetic: of two,
/// the later one is ahead by less than half the range.
package struct HeapOrder: Equatable, Sendable {
    var major: UInt64
    var minor: UInt32

    @inline(__always)
    package init(major: UInt64, minor: UInt64) {
        self.major = major
        self.minor = UInt32(truncatingIfNeeded: minor)
    }

    @inline(__always)
    package static func < (lhs: HeapOrder, rhs: HeapOrder) -> Bool {
        lhs.major < rhs.major || (lhs.major == rhs.major && lhs.isBefore(rhs.minor))
    }

    /// Returns whether, of two with the same major, this one comes before that with the minor
    /// `other`.
    @inline(__always)
    func isBefore(_ other: UInt32) -> Bool { Int32(bitPattern: minor &- other) < 0 }
}

/// A min-heap whose elements can be moved and removed by the slot they belong to.
///
/// Each node has four children, which fill one cache line: a step down the heap is one access to
/// memory. Every change is O(log n), also in the worst case.
///
/// ```swift
/// var due = IndexedHeap()
/// due.insert(HeapOrder(major: 20, minor: 1), slot: 0)
/// due.insert(HeapOrder(major: 10, minor: 2), slot: 1)
/// due.remove(slot: 1)
/// due.first?.slot  // 0
/// ```
package struct IndexedHeap: ~Copyable {
    /// An element, of 16 bytes; not private, as Swift 6.3's optimizer refers to it from other modules.
    struct Entry {
        var order: HeapOrder
        let slot: UInt32
    }

    /// The elements, placed so that the first one's children begin a cache line.
    private var entries = Buffer<Entry>(lead: 3)
    /// The index in `entries` by slot, or `absent`.
    private var places = Buffer<UInt32>()

    private static var absent: UInt32 { .max }

    package init() {}

    /// The number of slots in the heap.
    var count: Int { entries.count }

    var isEmpty: Bool { entries.isEmpty }

    /// The least element and its slot.
    package var first: (order: HeapOrder, slot: Int)? {
        @inline(__always) get {
            entries.isEmpty ? nil : (entries[0].order, Int(entries[0].slot))
        }
    }

    /// Returns the slot at an index of the heap's array: the first is the least, and the next ones
    /// are among the lesser.
    func slot(at place: Int) -> Int { Int(entries[place].slot) }

    func contains(slot: Int) -> Bool {
        slot < places.count && places[slot] != Self.absent
    }

    /// Returns the order of a slot; nil if it isn't in the heap.
    package func order(of slot: Int) -> HeapOrder? {
        contains(slot: slot) ? entries[Int(places[slot])].order : nil
    }

    /// Returns whether more than `count` elements come before an order.
    ///
    /// O(`count`).
    package func hasMore(than count: Int, before order: HeapOrder) -> Bool {
        self.count(from: 0, before: order, upTo: count + 1) > count
    }

    private func count(from place: Int, before order: HeapOrder, upTo most: Int) -> Int {
        guard most > 0, place < count, entries[place].order < order else { return 0 }
        return (1...4).reduce(1) {
            $0 + count(from: 4 * place + $1, before: order, upTo: most - $0)
        }
    }

    /// Inserts or moves a slot by its order, or removes it if the order is nil.
    package mutating func set(_ order: HeapOrder?, slot: Int) {
        if order == nil { remove(slot: slot) }
        if let order, order != self.order(of: slot) { insert(order, slot: slot) }
    }

    /// Inserts a slot, or moves one that is already in the heap.
    ///
    /// O(log n), and O(1) on average for random orders.
    mutating func insert(_ order: HeapOrder, slot: Int) {
        while slot >= places.count { places.append(Self.absent) }
        let entry = Entry(order: order, slot: UInt32(truncatingIfNeeded: slot))
        let place = places[slot]
        if place == Self.absent {
            entries.append(entry)
            siftUp(entry, from: entries.count &- 1)
        } else {
            put(entry, near: Int(place))
        }
    }

    /// Moves the least element.
    mutating func moveFirst(to order: HeapOrder) {
        siftDown(Entry(order: order, slot: entries[0].slot), from: 0)
    }

    /// Removes a slot, wherever it is in the heap; returns false if it isn't.
    @discardableResult
    package mutating func remove(slot: Int) -> Bool {
        guard slot < places.count else { return false }
        let place = places[slot]
        guard place != Self.absent else { return false }
        places[slot] = Self.absent
        let last = entries.removeLast()
        if place == 0 {
            fillRoot(with: last)
        } else if place < entries.count {
            put(last, near: Int(place))
        }
        return true
    }

    /// Fills the root from below, then moves the last entry up from there, which is rarely
    /// necessary.
    private mutating func fillRoot(with last: Entry) {
        guard !entries.isEmpty else { return }
        var place = 0
        while let child = leastChild(of: place) {
            set(entries[child], at: place)
            place = child
        }
        siftUp(last, from: place)
    }

    /// Fills a free place with an entry that may belong above or below it.
    private mutating func put(_ entry: Entry, near place: Int) {
        if place > 0, entry.order < entries[(place &- 1) &>> 2].order {
            siftUp(entry, from: place)
        } else {
            siftDown(entry, from: place)
        }
    }

    @inline(__always)
    private mutating func set(_ entry: Entry, at place: Int) {
        entries[place] = entry
        places[Int(entry.slot)] = UInt32(truncatingIfNeeded: place)
    }

    @inline(__always)
    private mutating func siftUp(_ entry: Entry, from start: Int) {
        var place = start
        while place > 0 {
            let parent = (place &- 1) &>> 2
            let other = entries[parent]
            guard entry.order < other.order else { break }
            set(other, at: place)
            place = parent
        }
        set(entry, at: place)
    }

    private mutating func siftDown(_ entry: Entry, from start: Int) {
        var place = start
        while let child = leastChild(of: place), entries[child].order < entry.order {
            set(entries[child], at: place)
            place = child
        }
        set(entry, at: place)
    }

    @inline(__always)
    private func leastChild(of place: Int) -> Int? {
        let child = 4 &* place &+ 1
        if child &+ 3 < entries.count {
            let left = entries[child &+ 1].order < entries[child].order ? child &+ 1 : child
            let right =
                entries[child &+ 3].order < entries[child &+ 2].order ? child &+ 3 : child &+ 2
            return entries[right].order < entries[left].order ? right : left
        }
        guard child < entries.count else { return nil }
        var least = child
        for other in child &+ 1..<entries.count where entries[other].order < entries[least].order {
            least = other
        }
        return least
    }

    /// Checks that parents come first, and that each slot's index is correct.
    ///
    /// O(n), for tests.
    package func checkInvariants() {
        for place in 0..<entries.count {
            precondition(
                place == 0 || !(entries[place].order < entries[(place - 1) / 4].order),
                "a parent comes before its children")
            precondition(
                places[Int(entries[place].slot)] == UInt32(place), "a slot knows its place")
        }
        var present = 0
        for slot in 0..<places.count where contains(slot: slot) { present += 1 }
        precondition(present == count, "only slots in the heap have a place")
    }
}
