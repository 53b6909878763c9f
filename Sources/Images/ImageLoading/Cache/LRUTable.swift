internal import LullLibC

/// A bounded dictionary that evicts the values that were inserted first.
///
/// All operations are O(1), amortized and expected: a removed or replaced entry stays in the order
/// until it comes first, or until such entries are more than half of it.
struct LRUTable<Key: Hashable, Value> {
    private let capacity: Int
    private var entries: [Key: (number: Int, value: Value)] = [:]
    private var order: ArraySlice<(key: Key, number: Int)> = []
    private var lastNumber = 0

    /// Creates an empty table for up to `capacity` values.
    init(capacity: Int) { self.capacity = capacity }

    var count: Int { entries.count }

    /// Returns the value of a key.
    subscript(key: Key) -> Value? { entries[key]?.value }

    /// Inserts a value as the newest, replacing the key's previous value; evicts the oldest if it is
    /// one too many.
    mutating func insert(_ value: Value, for key: Key) {
        lastNumber += 1
        entries[key] = (lastNumber, value)
        order.append((key, lastNumber))
        while count > capacity, let (key, number) = order.popFirst() {
            if entries[key]?.number == number { entries[key] = nil }
        }
        tidy()
    }

    /// Removes a key.
    mutating func remove(_ key: Key) {
        entries[key] = nil
        tidy()
    }

    /// Removes the stale entries from the order, if they are more than half of it.
    private mutating func tidy() {
        guard order.count > 2 * count + 16 else { return }
        order.removeAll { [entries] in entries[$0.key]?.number != $0.number }
    }

    /// Checks that every key is in the order once, and that stale entries are few.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        let keys = order.filter { entries[$0.key]?.number == $0.number }.map(\.key)
        precondition(keys.count == count, "every key has one place")
        precondition(Set(keys) == Set(entries.keys), "and is there")
        precondition(order.count <= 2 * count + 16, "what is gone is forgotten")
    }
}
