extension KeyedHeightCache {
    /// Measures the height of a key that nobody asked for yet, if it isn't stored and there's room.
    ///
    /// For rows ahead, in lulls: what somebody looked at is worth more than what somebody may look
    /// at, so a full cache drops nothing for it, and it'll be among the first to go.
    ///
    /// - Precondition: The width is finite, zero or more.
    /// - Throws: ``KeyedHeightError``, when the measured height is not finite or negative; nothing
    ///   is changed then.
    public mutating func precompute(
        _ key: Key, width: Double, measure: () -> Double
    ) throws(KeyedHeightError) {
        guard storedHeight(for: key, width: width) == nil else { return }
        guard slots[key] != nil || count < limit else { return }
        let height = measure()
        try KeyedHeightError.check(height)
        put(height, for: key, width: width)
    }

    mutating func put(_ height: Double, for key: Key, width: Double) {
        if columns.column(of: width) == nil, let oldest = columns.oldest { dropColumn(oldest) }
        let column = columns.column(for: width)
        let slot = slots[key] ?? insert(key)
        columns[slot, column] = height
    }

    /// Gives a key that isn't stored a slot, behind all others; a full cache drops one for it.
    private mutating func insert(_ key: Key) -> Int {
        if count == limit, let last = recent.last { remove(last) }
        let slot = free.popLast() ?? keys.count
        if slot == keys.count { keys.append(key) } else { keys[slot] = key }
        columns.clear(slot: slot)
        slots[key] = slot
        links.append(slot, to: &recent)
        return slot
    }

    mutating func remove(_ slot: Int) {
        if let key = keys[slot].take() { slots[key] = nil }
        links.remove(slot, from: &recent)
        free.append(slot)
    }

    mutating func touch(_ key: Key, width: Double) {
        columns.touch(width)
        guard let slot = slots[key], slot != recent.first else { return }
        links.remove(slot, from: &recent)
        links.prepend(slot, to: &recent)
    }

    /// Forgets a column, and the keys that have heights in no other.
    mutating func dropColumn(_ column: Int) {
        columns.remove(column)
        var next = recent.first
        while let slot = next {
            next = links.next(after: slot)
            columns[slot, column] = nil
            if columns.isEmpty(slot: slot) { remove(slot) }
        }
    }

    /// Checks that keys, slots and heights belong together, and that the limits hold.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        let present = links.checkInvariants(of: recent)
        precondition(present.count <= limit, "a cache has its limit")
        precondition(Set(present).count == present.count, "a key is there once")
        precondition(slots.count == present.count, "each key has a slot")
        precondition(present.count + free.count == keys.count, "a slot is free or in use")
        precondition(free.allSatisfy { keys[$0] == nil }, "a free slot has no key")
        for slot in present {
            precondition(keys[slot].flatMap { slots[$0] } == slot, "a key finds its slot")
            precondition(!columns.isEmpty(slot: slot), "a key has a height")
        }
        columns.checkInvariants(slots: present)
    }
}
