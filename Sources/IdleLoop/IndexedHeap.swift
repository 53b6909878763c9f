/// A binary min-heap whose elements can be moved and removed by the slot they belong to.
///
/// The order is stored in the heap's own array, so that comparing touches no other memory.
struct IndexedHeap<Order: Comparable & Sendable>: Sendable {
    private var entries: [(order: Order, slot: Int)] = []
    private var positions: [Int] = []

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// The least element and its slot.
    var first: (order: Order, slot: Int)? { entries.first }

    /// The element at a position of the heap's array: the first is the least, and those near it are
    /// among the lesser.
    func entry(at position: Int) -> (order: Order, slot: Int) { entries[position] }

    func contains(slot: Int) -> Bool {
        slot < positions.count && positions[slot] >= 0
    }

    /// The order under which a slot stands in the heap.
    func order(ofSlot slot: Int) -> Order? {
        contains(slot: slot) ? entries[positions[slot]].order : nil
    }

    /// Adds a slot, or moves one that is there already.
    ///
    /// O(log n).
    mutating func insert(_ order: Order, slot: Int) {
        if contains(slot: slot) {
            let position = positions[slot]
            entries[position].order = order
            siftDown(from: siftUp(from: position))
            return
        }
        if slot >= positions.count {
            positions.append(contentsOf: repeatElement(-1, count: slot + 1 - positions.count))
        }
        positions[slot] = entries.count
        entries.append((order, slot))
        siftUp(from: entries.count - 1)
    }

    /// Takes a slot out, wherever it stands.
    ///
    /// O(log n).
    @discardableResult
    mutating func remove(slot: Int) -> Bool {
        guard contains(slot: slot) else { return false }
        let position = positions[slot]
        positions[slot] = -1
        let last = entries.removeLast()
        if position < entries.count {
            place(last, at: position)
            siftDown(from: siftUp(from: position))
        }
        return true
    }

    private mutating func place(_ entry: (order: Order, slot: Int), at position: Int) {
        entries[position] = entry
        positions[entry.slot] = position
    }

    @discardableResult
    private mutating func siftUp(from start: Int) -> Int {
        var position = start
        let entry = entries[start]
        while position > 0 {
            let parent = (position - 1) / 2
            guard entry.order < entries[parent].order else { break }
            place(entries[parent], at: position)
            position = parent
        }
        place(entry, at: position)
        return position
    }

    private mutating func siftDown(from start: Int) {
        var position = start
        let entry = entries[start]
        while true {
            var child = 2 * position + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].order < entries[child].order {
                child += 1
            }
            guard entries[child].order < entry.order else { break }
            place(entries[child], at: position)
            position = child
        }
        place(entry, at: position)
    }

    /// Checks that parents come first and that every slot knows its place.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        for (position, entry) in entries.enumerated() {
            precondition(positions[entry.slot] == position, "a slot knows its place")
            precondition(
                position == 0 || !(entry.order < entries[(position - 1) / 2].order),
                "a parent comes before its children")
        }
        precondition(
            positions.count { $0 >= 0 } == entries.count, "only slots in the heap have a place")
    }
}
