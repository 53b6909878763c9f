internal import LullLibC

/// A hash table that finds slots by the hashes of their keys; the keys themselves stay with their
/// owner.
///
/// It is a table of (hash, slot) pairs with linear probing. Removal shifts the following pairs
/// back, so that no tombstones remain and no key is hashed again.
///
/// ```swift
/// func slot(of key: String, hash: UInt32) -> Int? {
///     index.slot(of: hash) { keys[$0] == key }
/// }
/// ```
struct HashIndex: ~Copyable {
    /// The table's places: each a hash above a slot number, or `vacant`.
    private var buckets = Buffer<UInt64>()
    private(set) var count = 0

    private static var vacant: UInt64 { .max }

    /// Returns the slot with this hash that satisfies `fits`; nil if there is none.
    ///
    /// O(1) expected.
    func slot(of hash: UInt32, where fits: (Int) -> Bool) -> Int? {
        guard count > 0 else { return nil }
        let mask = buckets.count &- 1
        var place = Int(hash) & mask
        while true {
            let bucket = buckets[place]
            if bucket == Self.vacant { return nil }
            if UInt32(truncatingIfNeeded: bucket &>> 32) == hash {
                let slot = Int(UInt32(truncatingIfNeeded: bucket))
                if fits(slot) { return slot }
            }
            place = (place &+ 1) & mask
        }
    }

    /// Inserts a slot that isn't in the table.
    ///
    /// O(1) amortized and expected.
    mutating func insert(_ slot: Int, hash: UInt32) {
        if 4 &* count >= 3 &* buckets.count { grow() }
        put(UInt64(hash) &<< 32 | UInt64(slot))
        count &+= 1
    }

    /// Removes a slot that is in the table.
    ///
    /// O(1) expected.
    mutating func remove(_ slot: Int, hash: UInt32) {
        let mask = buckets.count &- 1
        let pair = UInt64(hash) &<< 32 | UInt64(slot)
        var hole = Int(hash) & mask
        while buckets[hole] != pair {
            precondition(buckets[hole] != Self.vacant, "a slot that is there")
            hole = (hole &+ 1) & mask
        }
        var place = hole
        while true {
            place = (place &+ 1) & mask
            let bucket = buckets[place]
            if bucket == Self.vacant { break }
            let home = Int(truncatingIfNeeded: bucket &>> 32) & mask
            if (place &- home) & mask >= (place &- hole) & mask {
                buckets[hole] = bucket
                hole = place
            }
        }
        buckets[hole] = Self.vacant
        count &-= 1
    }

    private mutating func grow() {
        var old = Buffer<UInt64>()
        swap(&old, &buckets)
        for _ in 0..<max(16, 2 &* old.count) { buckets.append(Self.vacant) }
        for place in 0..<old.count where old[place] != Self.vacant { put(old[place]) }
    }

    private mutating func put(_ pair: UInt64) {
        let mask = buckets.count &- 1
        var place = Int(truncatingIfNeeded: pair &>> 32) & mask
        while buckets[place] != Self.vacant { place = (place &+ 1) & mask }
        buckets[place] = pair
    }

    /// Checks that every slot can be found.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        var found = 0
        let mask = buckets.count - 1
        for place in 0..<buckets.count where buckets[place] != Self.vacant {
            found += 1
            var step = Int(truncatingIfNeeded: buckets[place] >> 32) & mask
            while step != place {
                precondition(buckets[step] != Self.vacant, "no gap before a pair")
                step = (step + 1) & mask
            }
        }
        precondition(found == count, "the count is that of the pairs")
    }
}
