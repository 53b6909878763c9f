internal import LullLibC

/// Keys in an order, as a doubly linked list; each operation is O(1).
struct KeyOrder<Key: Hashable> {
    private var neighbours: [Key: (before: Key?, behind: Key?)] = [:]
    private(set) var first: Key?
    private(set) var last: Key?

    var count: Int { neighbours.count }

    func contains(_ key: Key) -> Bool { neighbours[key] != nil }

    /// Inserts a new key before the first.
    mutating func prepend(_ key: Key) {
        neighbours[key] = (nil, nil)
        join(key, first)
        join(nil, key)
    }

    /// Inserts a new key after the last.
    mutating func append(_ key: Key) {
        neighbours[key] = (nil, nil)
        join(last, key)
        join(key, nil)
    }

    /// Removes a key.
    mutating func remove(_ key: Key) {
        guard let (before, behind) = neighbours.removeValue(forKey: key) else { return }
        join(before, behind)
    }

    /// Links two keys; nil stands for the ends.
    private mutating func join(_ one: Key?, _ other: Key?) {
        if let one { neighbours[one]?.behind = other } else { first = other }
        if let other { neighbours[other]?.before = one } else { last = one }
    }

    /// Checks the links in both directions, and returns the keys from the first to the last.
    ///
    /// O(n), for tests.
    func checkInvariants() -> [Key] {
        var keys: [Key] = []
        var next = first
        while let key = next {
            precondition(keys.count < count, "a key is there once")
            precondition(neighbours[key]?.before == keys.last, "neighbours know each other")
            keys.append(key)
            next = neighbours[key]?.behind
        }
        precondition(keys.last == last, "the last key ends the order")
        precondition(keys.count == count, "each key is in the order")
        return keys
    }
}

extension KeyOrder: Sendable where Key: Sendable {}
