/// A bounded table of values by key, of which those inserted longest ago are removed first.
///
/// All is O(1), amortized and expected: the place of a key that was removed or inserted again stays in
/// the order until it comes first, or such places are more than half of it.
struct RecentValues<Key: Hashable, Value> {
    private var entries: [Key: (number: Int, value: Value)] = [:]
    private var order: ArraySlice<(key: Key, number: Int)> = []
    private var lastNumber = 0
    private let limit: Int

    init(limit: Int) {
        precondition(limit > 0, "at least one key is remembered")
        self.limit = limit
    }

    subscript(key: Key) -> Value? { entries[key]?.value }

    /// Inserts a value as the newest, in place of the key's old one.
    mutating func insert(_ value: Value, for key: Key) {
        lastNumber += 1
        entries[key] = (lastNumber, value)
        order.append((key, lastNumber))
        while entries.count > limit, let oldest = order.popFirst() {
            if isCurrent(oldest) { entries[oldest.key] = nil }
        }
        removeOldPlaces()
    }

    /// Removes a key, and returns its value.
    mutating func remove(_ key: Key) -> Value? {
        defer { removeOldPlaces() }
        return entries.removeValue(forKey: key)?.value
    }

    private func isCurrent(_ place: (key: Key, number: Int)) -> Bool {
        entries[place.key]?.number == place.number
    }

    private mutating func removeOldPlaces() {
        guard order.count > 2 * entries.count + 16 else { return }
        order = ArraySlice(order.filter(isCurrent))
    }
}
