internal import IdleLoop

/// The position of a value in the order of eviction; the least is evicted first.
struct EvictionOrder: Comparable {
    /// The level of a wanted value; nil, which goes first, for an unwanted one; then the least
    /// urgent first.
    let level: WishLevel?
    /// The time of its last use, zero if never; then the time at which it was settled.
    let lastUsed: UInt64
    let since: UInt64

    static func < (lhs: EvictionOrder, rhs: EvictionOrder) -> Bool {
        switch (lhs.level, rhs.level) {
        case (nil, .some): return true
        case (.some, nil): return false
        case (let first?, let second?) where first != second: return second < first
        default:
            return (lhs.lastUsed, lhs.since) < (rhs.lastUsed, rhs.since)
        }
    }
}
