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

    private let widthLimit: Int
    /// The keys from the one asked for last to the one asked for first.
    private var recent = KeyOrder<Key>()
    /// The heights for each width, from the one asked for last to the one asked for first.
    private var columns: [(width: Double, heights: [Key: Double])] = []

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
        widthLimit = widths
    }

    /// The number of keys that have a height for at least one width.
    package var count: Int { recent.count }

    /// The widths that are kept, that asked for last first.
    package var widths: [Double] { columns.map(\.width) }

    /// A height, if it's stored; asking this way doesn't keep it any longer.
    ///
    /// - Precondition: The width is finite, zero or more.
    public func storedHeight(for key: Key, width: Double) -> Double? {
        column(of: width).flatMap { columns[$0].heights[key] }
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
        try put(height, for: key, width: width)
        touch(key, width: width)
    }

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
        guard recent.contains(key) || count < limit else { return }
        try put(measure(), for: key, width: width)
    }

    /// Forgets the heights of a key.
    public mutating func invalidate(_ key: Key) {
        recent.remove(key)
        for column in columns.indices { columns[column].heights[key] = nil }
    }

    /// Forgets the heights for a width, and the keys that have no other; O(n).
    package mutating func invalidate(width: Double) {
        guard let column = column(of: width) else { return }
        for key in columns.remove(at: column).heights.keys
        where !columns.contains(where: { $0.heights[key] != nil }) { recent.remove(key) }
    }
}

extension KeyedHeightCache {
    private func column(of width: Double) -> Int? {
        precondition(width.isFinite && width >= 0, "a row's width is finite, zero or more")
        return columns.firstIndex { $0.width == width }
    }

    /// Stores a height; a new key comes behind all others, a new width before.
    private mutating func put(
        _ height: Double, for key: Key, width: Double
    ) throws(KeyedHeightError) {
        let known = column(of: width)
        guard height.isFinite else { throw .notFinite(height: height) }
        guard height >= 0 else { throw .negative(height: height) }
        if known == nil {
            if columns.count == widthLimit { invalidate(width: columns[widthLimit - 1].width) }
            columns.insert((width, [:]), at: 0)
        }
        if !recent.contains(key) {
            if count == limit, let last = recent.last { invalidate(last) }
            recent.append(key)
        }
        columns[known ?? 0].heights[key] = height
    }

    private mutating func touch(_ key: Key, width: Double) {
        if let column = column(of: width), column > 0 {
            columns.insert(columns.remove(at: column), at: 0)
        }
        guard key != recent.first else { return }
        recent.remove(key)
        recent.prepend(key)
    }

    /// Checks that keys and heights belong together, and that the limits hold.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        let keys = Set(recent.checkInvariants())
        precondition(keys.count <= limit, "a cache has its limit")
        precondition(Set(widths).count == columns.count, "a width has one column")
        precondition(columns.count <= widthLimit, "there are no more widths than the limit")
        precondition(keys == Set(columns.flatMap(\.heights.keys)), "each key has a height")
    }
}

extension KeyedHeightCache: Sendable where Key: Sendable {}

/// The reason why a height can't be kept.
public enum KeyedHeightError: Error, Equatable, Sendable {
    /// The height is infinite or not a number.
    case notFinite(height: Double)
    /// The height is below zero; zero itself is a height.
    case negative(height: Double)
}
