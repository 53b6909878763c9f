internal import LullLibC

/// A cache of row heights by key, and by the width for which they were measured.
///
/// A key stays with its row wherever the row moves, so insertions, deletions and moves don't affect
/// the cache. Keys must be unique: rows with the same key have the same height.
///
/// ```swift
/// var heights = KeyedHeightCache<Photo.ID>()
/// let height = heights.height(for: photo.id, width: 320) { layout(photo, 320).height }
/// heights.invalidate(photo.id)        // its caption has changed
/// ```
///
/// For each key, the heights of two widths are kept, for a screen that is rotated and rotated back.
/// The number of keys is limited: half of that number, those that were used last, are always kept.
/// Each call is O(1), amortized.
public struct KeyedHeightCache<Key: Hashable> {
    /// The heights of a row for the last two widths for which it was measured.
    private struct Heights {
        let last: (width: Double, height: Double)
        let before: (width: Double, height: Double)?

        subscript(width: Double) -> Double? {
            if last.width == width { return last.height }
            return before.flatMap { $0.width == width ? $0.height : nil }
        }
    }

    private let half: Int
    /// The keys that were used last, `half` of them at most.
    private var recent: [Key: Heights] = [:]
    /// The keys that were used before, of which `half` were recent at one time.
    private var older: [Key: Heights] = [:]

    /// An empty cache, for at most `limit` keys.
    ///
    /// - Precondition: `limit` is at least 2.
    ///
    /// Traps if `limit` is less than two.
    public init(limit: Int = 100_000) {
        precondition(limit >= 2, "a height cache holds at least two keys")
        half = limit / 2
    }

    /// The number of keys that have a height.
    var count: Int { recent.count + older.count }

    /// Returns a height, and measures it if it isn't stored.
    ///
    /// A height that can't be a row's, as it's negative or not finite, isn't stored: it's returned, and
    /// `RowHeights` then throws an error that says which row it is.
    public mutating func height(for key: Key, width: Double, measure: () -> Double) -> Double {
        let known = recent[key] ?? older[key]
        if let known, let height = known[width] {
            keep(known, of: key)
            return height
        }
        let height = measure()
        guard height.isFinite, height >= 0, !width.isNaN else { return height }
        keep(Heights(last: (width, height), before: known?.last), of: key)
        return height
    }

    /// Removes the heights of a key.
    public mutating func invalidate(_ key: Key) {
        recent[key] = nil
        older[key] = nil
    }

    /// Stores the heights of a key that is used; where there are too many recent keys, all of these
    /// count as older from now on.
    private mutating func keep(_ heights: Heights, of key: Key) {
        if recent.updateValue(heights, forKey: key) != nil { return }
        older[key] = nil
        guard recent.count > half else { return }
        recent[key] = nil
        (older, recent) = (recent, [key: heights])
    }
}

extension KeyedHeightCache: Sendable where Key: Sendable {}
