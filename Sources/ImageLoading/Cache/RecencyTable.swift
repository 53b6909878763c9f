/// Values by key, in the order in which they were put there or touched.
///
/// All is O(1), amortized and expected: the order is a doubly linked list of slot numbers.
///
/// ```swift
/// var table = RecencyTable<String, Int>()
/// table.insert(1, for: "a")
/// table.insert(2, for: "b")
/// table.touch("a")
/// table.removeOldest()  // b
/// ```
package struct RecencyTable<Key: Hashable, Value> {
    private struct Node {
        let key: Key
        var value: Value
        /// The neighbours, -1 at the ends.
        var newer: Int
        var older: Int
    }

    private var slots: [Key: Int] = [:]
    private var nodes: ContiguousArray<Node?> = []
    private var free: ContiguousArray<Int> = []
    private var newest = -1
    private var oldest = -1

    /// An empty table.
    package init() {}

    package var count: Int { slots.count }
    var isEmpty: Bool { slots.isEmpty }

    /// The value of a key; asking doesn't touch it.
    package subscript(key: Key) -> Value? { slots[key].flatMap { nodes[$0]?.value } }

    /// What has been there longest.
    var oldestKey: Key? { oldest < 0 ? nil : nodes[oldest]?.key }

    /// Puts a value there as the newest, in place of what the key had.
    package mutating func insert(_ value: Value, for key: Key) {
        remove(key)
        let slot = free.popLast() ?? nodes.count
        if slot == nodes.count { nodes.append(nil) }
        nodes[slot] = Node(key: key, value: value, newer: -1, older: newest)
        link(slot)
        slots[key] = slot
    }

    /// Makes a key the newest; nothing if it isn't there.
    mutating func touch(_ key: Key) {
        guard let slot = slots[key], slot != newest else { return }
        unlink(slot)
        nodes[slot]?.newer = -1
        nodes[slot]?.older = newest
        link(slot)
    }

    /// Takes a key out.
    @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        guard let slot = slots.removeValue(forKey: key) else { return nil }
        unlink(slot)
        free.append(slot)
        return nodes[slot].take()?.value
    }

    /// Takes out what has been there longest.
    @discardableResult
    package mutating func removeOldest() -> (key: Key, value: Value)? {
        guard let key = oldestKey, let value = remove(key) else { return nil }
        return (key, value)
    }

    private mutating func link(_ slot: Int) {
        if newest >= 0 { nodes[newest]?.newer = slot } else { oldest = slot }
        newest = slot
    }

    private mutating func unlink(_ slot: Int) {
        guard let node = nodes[slot] else { return }
        if node.newer >= 0 { nodes[node.newer]?.older = node.older } else { newest = node.older }
        if node.older >= 0 { nodes[node.older]?.newer = node.newer } else { oldest = node.newer }
    }

    /// The keys, the oldest first.
    ///
    /// O(n), for tests.
    var keys: [Key] {
        var keys: [Key] = []
        var slot = oldest
        while slot >= 0, let node = nodes[slot] {
            keys.append(node.key)
            slot = node.newer
        }
        return keys
    }

    /// Checks that every key is in the order once.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        let keys = keys
        precondition(keys.count == slots.count, "every key has its place")
        precondition(Set(keys) == Set(slots.keys), "and only one")
        precondition(nodes.count { $0 != nil } == slots.count, "a slot is used or free")
        precondition(free.count + slots.count == nodes.count, "and free once")
        precondition(newest < 0 || nodes[newest]?.key == keys.last, "the newest is the last")
    }
}
