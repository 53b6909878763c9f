internal import IdleLoop

/// The place of a value among those that may go to make room; the least goes first.
struct EvictionOrder: Comparable {
    /// What is wanted goes after all that isn't, the least urgent first.
    let level: WishLevel?
    /// When it was last used, zero if never; then when it came.
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
