/// Finds slots by the hashes of their keys; the keys themselves stay with their owner.
///
/// It is a table of (hash, slot) pairs with linear probing. Taking a pair out moves those behind it
/// back, so that no tombstones remain, and needs no key to be hashed again.
///
/// ```swift
/// func slot(of key: String, hash: UInt32) -> Int? {
///     var place = index.place(of: hash)
///     while let slot = index.nextSlot(from: &place, hash: hash) {
///         if keys[slot] == key { return slot }
///     }
///     return nil
/// }
/// ```
struct HashIndex: Sendable {
    /// Each a hash above a slot number, or `vacant`.
    private var buckets: ContiguousArray<UInt64> = []
    private(set) var count = 0

    private static var vacant: UInt64 { .max }

    /// Where to begin looking for slots of this hash.
    func place(of hash: UInt32) -> Int {
        Int(hash) & (buckets.count &- 1)
    }

    /// The next slot of this hash, nil if there's none.
    ///
    /// O(1) expected.
    func nextSlot(from place: inout Int, hash: UInt32) -> Int? {
        guard count > 0 else { return nil }
        let mask = buckets.count &- 1
        while true {
            let bucket = buckets[place]
            if bucket == Self.vacant { return nil }
            place = (place &+ 1) & mask
            if UInt32(truncatingIfNeeded: bucket &>> 32) == hash {
                return Int(UInt32(truncatingIfNeeded: bucket))
            }
        }
    }

    /// Adds a slot that isn't there.
    ///
    /// O(1) amortized and expected.
    mutating func insert(_ slot: Int, hash: UInt32) {
        if 4 &* count >= 3 &* buckets.count { grow() }
        Self.put(UInt64(hash) &<< 32 | UInt64(slot), into: &buckets)
        count &+= 1
    }

    /// Takes out a slot that is there.
    ///
    /// O(1) expected.
    mutating func remove(_ slot: Int, hash: UInt32) {
        var buckets = buckets.mutableSpan
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
        let size = max(16, 2 &* buckets.count)
        var larger = ContiguousArray(repeating: Self.vacant, count: size)
        for bucket in buckets where bucket != Self.vacant { Self.put(bucket, into: &larger) }
        buckets = larger
    }

    private static func put(_ pair: UInt64, into array: inout ContiguousArray<UInt64>) {
        var buckets = array.mutableSpan
        let mask = buckets.count &- 1
        var place = Int(truncatingIfNeeded: pair &>> 32) & mask
        while buckets[place] != vacant { place = (place &+ 1) & mask }
        buckets[place] = pair
    }

    /// Checks that every slot can be found.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        var found = 0
        let mask = buckets.count - 1
        for (place, bucket) in buckets.enumerated() where bucket != Self.vacant {
            found += 1
            var step = Int(truncatingIfNeeded: bucket >> 32) & mask
            while step != place {
                precondition(buckets[step] != Self.vacant, "no gap before a pair")
                step = (step + 1) & mask
            }
        }
        precondition(found == count, "the count is that of the pairs")
    }
}
