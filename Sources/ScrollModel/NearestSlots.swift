/// Slots at rising positions, of which the nearest to a position can be taken and put back.
///
/// The slots are the leaves of a tree whose nodes know whether any below them is still there, so
/// that the next one on either side is found in O(log n).
///
/// ```swift
/// var left = NearestSlots()
/// _ = left.append(7, position: 10)
/// _ = left.append(4, position: 30)
/// left.seal()
/// left.take(nearestTo: 29)    // 1, the place of slot 4
/// ```
struct NearestSlots: Sendable {
    private var slots: [Int] = []
    private var positions: [Int] = []
    /// Node 1 is the root, the nodes below `i` are `2i` and `2i + 1`, the leaves begin at `width`.
    private var isThere: [Bool] = []
    private var width = 0

    /// Takes all out and begins anew.
    mutating func removeAll() {
        slots.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        isThere.removeAll(keepingCapacity: true)
        width = 0
    }

    /// Adds a slot at a position that isn't below the last one's; it's there once all are sealed.
    ///
    /// - Returns: Its place.
    mutating func append(_ slot: Int, position: Int) -> Int {
        precondition(positions.last.map { $0 <= position } ?? true, "positions rise")
        slots.append(slot)
        positions.append(position)
        return slots.count - 1
    }

    /// Makes what was appended available; O(n).
    mutating func seal() {
        width = 1
        while width < slots.count { width *= 2 }
        isThere.append(contentsOf: repeatElement(false, count: 2 * width))
        for place in slots.indices { isThere[width + place] = true }
        for node in (1..<width).reversed() { refresh(node) }
    }

    /// The slot at a place, there or taken.
    func slot(at place: Int) -> Int { slots[place] }

    /// Takes the slot nearest to a position, of two equally near the one before; O(log n).
    ///
    /// - Returns: Its place; nil if none is left.
    mutating func take(nearestTo position: Int) -> Int? {
        let start = firstPlace(notBefore: position)
        let before = last(before: start)
        let after = first(from: start)
        guard let place = nearer(before, after, to: position) else { return nil }
        set(place, isThere: false)
        return place
    }

    /// Puts a slot back that was taken from this place; O(log n).
    mutating func putBack(_ place: Int) {
        set(place, isThere: true)
    }

    /// How many slots are there.
    ///
    /// O(n), for tests.
    var count: Int { slots.indices.count { isThere[width + $0] } }
}

extension NearestSlots {
    private func nearer(_ before: Int?, _ after: Int?, to position: Int) -> Int? {
        guard let before else { return after }
        guard let after else { return before }
        return position - positions[before] <= positions[after] - position ? before : after
    }

    private func firstPlace(notBefore position: Int) -> Int {
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The first place from `start` on whose slot is there.
    private func first(from start: Int) -> Int? {
        guard start < slots.count else { return nil }
        var node = width + start
        while !isThere[node] {
            while node & 1 == 1 { node /= 2 }
            if node == 0 { return nil }
            node += 1
        }
        while node < width { node = isThere[2 * node] ? 2 * node : 2 * node + 1 }
        return node - width
    }

    /// The last place before `end` whose slot is there.
    private func last(before end: Int) -> Int? {
        guard end > 0 else { return nil }
        var node = width + end - 1
        while !isThere[node] {
            while node & 1 == 0 { node /= 2 }
            if node == 1 { return nil }
            node -= 1
        }
        while node < width { node = isThere[2 * node + 1] ? 2 * node + 1 : 2 * node }
        return node - width
    }

    private mutating func set(_ place: Int, isThere value: Bool) {
        var node = width + place
        isThere[node] = value
        while node > 1 {
            node /= 2
            refresh(node)
        }
    }

    private mutating func refresh(_ node: Int) {
        isThere[node] = isThere[2 * node] || isThere[2 * node + 1]
    }
}
