/// A place among others: the lesser `major` comes first, and of equal ones the lesser `minor`.
///
/// `minor` is the end of a running number that never ends: of two, the one that is less than half
/// the way round ahead is the later one.
struct HeapOrder: Equatable, Sendable {
    var major: UInt64
    var minor: UInt32

    @inline(__always)
    init(major: UInt64, minor: UInt64) {
        self.major = major
        self.minor = UInt32(truncatingIfNeeded: minor)
    }

    @inline(__always)
    static func < (lhs: HeapOrder, rhs: HeapOrder) -> Bool {
        lhs.major < rhs.major || (lhs.major == rhs.major && lhs.isBefore(rhs.minor))
    }

    /// Whether, of two with the same major, this one comes before that with the minor `other`.
    @inline(__always)
    func isBefore(_ other: UInt32) -> Bool { Int32(bitPattern: minor &- other) < 0 }
}

/// A min-heap whose elements can be moved and removed by the slot they belong to.
///
/// Each node has four children, which are one line of the processor's cache: a step down the heap
/// is one access to memory. Every change is O(log n), also the worst.
///
/// ```swift
/// var due = IndexedHeap()
/// due.insert(HeapOrder(major: 20, minor: 1), slot: 0)
/// due.insert(HeapOrder(major: 10, minor: 2), slot: 1)
/// due.remove(slot: 1)
/// due.first?.slot  // 0
/// ```
struct IndexedHeap: ~Copyable {
    /// 16 bytes.
    private struct Entry {
        var order: HeapOrder
        let slot: UInt32
    }

    /// The children of the first begin a line.
    private var entries = Buffer<Entry>(lead: 3)
    /// By slot: where in `entries` it is, or `absent`.
    private var places = Buffer<UInt32>()

    private static var absent: UInt32 { .max }

    /// How many slots are in the heap.
    var count: Int { entries.count }

    var isEmpty: Bool { entries.isEmpty }

    /// The least element and its slot.
    var first: (order: HeapOrder, slot: Int)? {
        @inline(__always) get {
            entries.isEmpty ? nil : (entries[0].order, Int(entries[0].slot))
        }
    }

    /// The slot at a place in the heap's array: the first is the least, and the others that come
    /// early are among the lesser.
    func slot(at place: Int) -> Int { Int(entries[place].slot) }

    func contains(slot: Int) -> Bool {
        slot < places.count && places[slot] != Self.absent
    }

    /// The same heap in memory of its own.
    ///
    /// O(n).
    func copy() -> IndexedHeap {
        var other = IndexedHeap()
        other.entries = entries.copy()
        other.places = places.copy()
        return other
    }

    /// Adds a slot, or moves one that is there already.
    ///
    /// O(log n), and O(1) on average for orders that come at random.
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

    /// Takes a slot out, wherever it stands.
    @discardableResult
    mutating func remove(slot: Int) -> Bool {
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

    /// Fills the root from below, then lets the last entry rise from there: it rarely does.
    private mutating func fillRoot(with last: Entry) {
        guard !entries.isEmpty else { return }
        var place = 0
        while let child = leastChild(of: place) {
            set(entries[child], at: place)
            place = child
        }
        siftUp(last, from: place)
    }

    /// Fills a place that is free with an entry that may belong above or below it.
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

    /// Checks that parents come first, and that every slot knows its place.
    ///
    /// O(n), for tests.
    func checkInvariants() {
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
