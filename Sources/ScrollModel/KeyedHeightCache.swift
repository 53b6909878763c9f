/// Heights of rows by what the rows show, and by the width that they were measured for.
///
/// A key stays with its row wherever that goes, so no insertion, deletion or move concerns the cache.
/// Keys must be unique: rows of one key are of one height.
///
/// ```swift
/// var heights = KeyedHeightCache<Photo.ID>()
/// let height = try heights.height(for: photo.id, width: 320) { layout(photo, 320).height }
/// heights.invalidate(photo.id)        // its caption has changed
/// try heights.precompute(photo.id, width: 480) { layout(photo, 480).height }  // in a lull, say
/// ```
///
/// Two widths are kept by default, which serves a screen that is turned and turned back. Of keys it
/// keeps as many as its limit says; one more, and the one goes that wasn't asked for for longest.
///
/// Questions and changes are O(1), times the number of widths.
public struct KeyedHeightCache<Key: Hashable> {
    /// The most keys that are kept.
    package let limit: Int

    var slots: [Key: Int] = [:]
    var keys: [Key?] = []
    var free: [Int] = []
    var links = SlotLinks()
    /// The keys from the one asked for last to the one asked for first.
    var recent = SlotLinks.List()
    var columns: WidthColumns

    /// A cache without heights.
    ///
    /// - Parameters:
    ///   - limit: How many keys it keeps.
    ///   - widths: How many different widths it keeps; another drops the one that wasn't asked for
    ///     for longest, in O(n).
    /// - Precondition: Both are at least 1.
    public init(limit: Int = 100_000, widths: Int = 2) {
        precondition(limit >= 1, "a height cache holds at least one key")
        precondition(widths >= 1, "a height cache holds at least one width")
        self.limit = limit
        columns = WidthColumns(limit: widths)
    }

    /// How many keys have a height for at least one width.
    package var count: Int { recent.count }

    /// The widths that are kept, that asked for last first.
    package var widths: [Double] { columns.recent }

    /// A height, if it's stored; asking this way doesn't keep it any longer.
    ///
    /// - Precondition: The width is finite, zero or more.
    public func storedHeight(for key: Key, width: Double) -> Double? {
        WidthColumns.require(width)
        guard let slot = slots[key], let column = columns.column(of: width) else { return nil }
        return columns[slot, column]
    }

    /// A height, measured if it isn't stored.
    ///
    /// - Precondition: The width is finite, zero or more.
    /// - Throws: ``KeyedHeightError``, when the measured height is not finite or negative; nothing
    ///   is changed then.
    public mutating func height(
        for key: Key, width: Double, measure: () -> Double
    ) throws(KeyedHeightError) -> Double {
        if let height = storedHeight(for: key, width: width) {
            touch(key, width: width)
            return height
        }
        let height = measure()
        try store(height, for: key, width: width)
        return height
    }

    /// Stores a height that was measured elsewhere.
    ///
    /// - Precondition: The width is finite, zero or more.
    /// - Throws: ``KeyedHeightError``, when the height is not finite or negative; nothing is changed
    ///   then.
    public mutating func store(
        _ height: Double, for key: Key, width: Double
    ) throws(KeyedHeightError) {
        WidthColumns.require(width)
        try KeyedHeightError.check(height)
        put(height, for: key, width: width)
        touch(key, width: width)
    }
}

extension KeyedHeightCache {
    /// Forgets the heights of a key.
    public mutating func invalidate(_ key: Key) {
        if let slot = slots[key] { remove(slot) }
    }

    /// Forgets the heights for a width; O(n).
    package mutating func invalidate(width: Double) {
        if let column = columns.column(of: width) { dropColumn(column) }
    }
}

extension KeyedHeightCache: Sendable where Key: Sendable {}
