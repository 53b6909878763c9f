internal import LullLibC

/// A cache of row heights by key, and by the width for which they were measured.
///
/// A key stays with its row wherever the row moves, so insertions, deletions and moves don't affect
/// the cache. Keys must be unique: rows with the same key have the same height.
///
/// ```swift
/// var heights = KeyedHeightCache<Photo.ID>()
/// let height = try heights.height(for: photo.id, width: 320) { layout(photo, 320).height }
/// heights.invalidate(photo.id)        // its caption has changed
/// ```
///
/// By default two widths are kept, for a screen that is rotated and rotated back. The number of
/// keys is limited; when another key is added, the least recently used one is dropped.
///
/// Queries and changes are O(1), times the number of widths.
public struct KeyedHeightCache<Key: Hashable> {
    /// The maximum number of keys.
    package let limit: Int

    private let widthLimit: Int
    /// The keys, the most recently used first.
    private var recent = KeyOrder<Key>()
    /// The heights for each width, the most recently used width first.
    private var columns: [(width: Double, heights: [Key: Double])] = []

    /// An empty cache.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of keys.
    ///   - widths: The maximum number of widths; another width drops the least recently used one,
    ///     in O(n).
    /// - Precondition: Both are at least 1.
    ///
    /// Traps if `limit` or `widths` is less than one.
    public init(limit: Int = 100_000, widths: Int = 2) {
        precondition(limit >= 1, "a height cache holds at least one key")
        precondition(widths >= 1, "a height cache holds at least one width")
        self.limit = limit
        widthLimit = widths
    }

    /// The number of keys that have a height for at least one width.
    package var count: Int { recent.count }

    /// The widths that are kept, the most recently used first.
    package var widths: [Double] { columns.map(\.width) }

    /// Returns a height, if it is stored; doesn't mark it as used.
    public func storedHeight(for key: Key, width: Double) -> Double? {
        column(of: width).flatMap { columns[$0].heights[key] }
    }

    /// Returns a height, and measures it if it isn't stored.
    ///
    /// - Throws: ``KeyedHeightError`` if the measured height or the width is not finite or is
    ///   negative; nothing is changed then.
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
    /// - Throws: ``KeyedHeightError`` if the height or the width is not finite or is negative;
    ///   nothing is changed then.
    public mutating func store(
        _ height: Double, for key: Key, width: Double
    ) throws(KeyedHeightError) {
        try put(height, for: key, width: width)
        touch(key, width: width)
    }

    /// Removes the heights of a key.
    public mutating func invalidate(_ key: Key) {
        recent.remove(key)
        for column in columns.indices { columns[column].heights[key] = nil }
    }

    /// Removes the heights for a width, and the keys that have no other; O(n).
    package mutating func invalidate(width: Double) {
        guard let column = column(of: width) else { return }
        for key in columns.remove(at: column).heights.keys
        where !columns.contains(where: { $0.heights[key] != nil }) { recent.remove(key) }
    }

    private func column(of width: Double) -> Int? {
        columns.firstIndex { $0.width == width }
    }

    /// Stores a height; a new key is placed last, a new width first.
    private mutating func put(
        _ height: Double, for key: Key, width: Double
    ) throws(KeyedHeightError) {
        let known = column(of: width)
        guard width.isFinite, width >= 0 else { throw .width(width) }
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

    /// Checks that keys and heights agree, and that the limits hold.
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

/// The reason why a height can't be stored.
public enum KeyedHeightError: Error, Equatable, Sendable {
    /// The height is infinite or not a number.
    case notFinite(height: Double)
    /// The height is negative; zero is allowed.
    case negative(height: Double)
    /// The row's width is infinite, negative, or not a number.
    case width(Double)
}
