/// Heights to be measured before anybody asks for them, a slice at a time.
///
/// It remembers where it was, so that a job in the lulls of a loop can go on with it:
///
/// ```swift
/// var precache = HeightPrecache(photos.map(\.id), width: 320)
/// // in each slice:
/// let isMore = try precache.run(in: &heights, while: { slot.timeRemaining > .zero }) { id in
///     layout(photos[id], width: 320).height
/// }
/// ```
///
/// What is stored already isn't measured again. A full cache drops nothing for it: rows that somebody
/// looked at are worth more than rows that somebody may look at.
public struct HeightPrecache<Key: Hashable> {
    /// The width that the heights are measured for.
    public let width: Double

    /// How many of the keys have had their turn.
    public private(set) var position = 0

    private let keys: [Key]

    /// A list of what to measure, the nearest first.
    ///
    /// - Precondition: The width is finite, zero or more.
    public init(_ keys: some Sequence<Key>, width: Double) {
        WidthColumns.require(width)
        self.keys = Array(keys)
        self.width = width
    }

    /// Whether all keys have had their turn.
    public var isDone: Bool { position == keys.count }

    /// Goes on where it was, and asks before each key whether it may.
    ///
    /// - Returns: Whether there is more to do.
    /// - Throws: ``KeyedHeightError``, when a measured height is not finite or negative. The next
    ///   call goes on behind that key, which is the one before ``position``.
    public mutating func run(
        in cache: inout KeyedHeightCache<Key>, while mayGoOn: () -> Bool,
        measure: (Key) -> Double
    ) throws(KeyedHeightError) -> Bool {
        while position < keys.count {
            guard mayGoOn() else { return true }
            let key = keys[position]
            position += 1
            try cache.precompute(key, width: width) { measure(key) }
        }
        return false
    }
}

extension HeightPrecache: Sendable where Key: Sendable {}
