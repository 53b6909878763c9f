internal import LullLibC

/// A min-heap whose elements can be moved and removed by slot number: an indexed priority queue.
///
/// ```swift
/// var next = SlotHeap<Int>()
/// next.set(20, slot: 0)
/// next.set(10, slot: 1)
/// next.set(nil, slot: 1)
/// next.first?.slot  // 0
/// ```
///
/// Every change is O(log n), and O(1) if the order stays the same. The queue's
/// `IndexedHeap` is made for orders of 12 bytes, and generic code of another module is slow.
package struct SlotHeap<Order: Comparable> {
    private var entries: [(order: Order, slot: Int)] = []
    /// The index in `entries` by slot, -1 for none.
    private var places: [Int] = []

    package init() {}

    package var count: Int { entries.count }

    /// The least element and its slot.
    package var first: (order: Order, slot: Int)? { entries.first }

    func contains(slot: Int) -> Bool { slot < places.count && places[slot] >= 0 }

    /// Returns the order of a slot in the heap; nil if it isn't there.
    func order(of slot: Int) -> Order? { contains(slot: slot) ? entries[places[slot]].order : nil }

    /// Returns whether more than `count` elements come before an order.
    ///
    /// O(`count`).
    func hasMore(than count: Int, before order: Order) -> Bool {
        self.count(from: 0, before: order, upTo: count + 1) > count
    }

    private func count(from place: Int, before order: Order, upTo most: Int) -> Int {
        guard most > 0, place < entries.count, entries[place].order < order else { return 0 }
        let left = 1 + count(from: 2 * place + 1, before: order, upTo: most - 1)
        return left + count(from: 2 * place + 2, before: order, upTo: most - left)
    }

    /// Inserts or moves a slot by its order, or removes it if the order is nil.
    package mutating func set(_ order: Order?, slot: Int) {
        guard let order else { return remove(slot: slot) }
        while places.count <= slot { places.append(-1) }
        let place = places[slot]
        if place < 0 {
            entries.append((order, slot))
            places[slot] = entries.count - 1
            rise(entries.count - 1)
        } else if entries[place].order != order {
            entries[place].order = order
            rise(place)
            sink(places[slot])
        }
    }

    private mutating func remove(slot: Int) {
        guard contains(slot: slot) else { return }
        let place = places[slot]
        places[slot] = -1
        let last = entries.removeLast()
        guard place < entries.count else { return }
        entries[place] = last
        places[last.slot] = place
        rise(place)
        sink(places[last.slot])
    }

    private mutating func rise(_ start: Int) {
        var place = start
        while place > 0, entries[place].order < entries[(place - 1) / 2].order {
            swap(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(_ start: Int) {
        var place = start
        while true {
            var least = place
            let left = 2 * place + 1
            if left < entries.count, entries[left].order < entries[least].order { least = left }
            if left + 1 < entries.count, entries[left + 1].order < entries[least].order {
                least = left + 1
            }
            guard least != place else { return }
            swap(place, least)
            place = least
        }
    }

    private mutating func swap(_ first: Int, _ second: Int) {
        entries.swapAt(first, second)
        places[entries[first].slot] = first
        places[entries[second].slot] = second
    }

    /// Checks that parents come first, and that the index of every slot is right.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        for (place, entry) in entries.enumerated() {
            precondition(
                place == 0 || !(entry.order < entries[(place - 1) / 2].order),
                "a parent comes before its children")
            precondition(places[entry.slot] == place, "a slot knows its place")
        }
        precondition(places.count { $0 >= 0 } == count, "only slots in the heap have a place")
    }
}
