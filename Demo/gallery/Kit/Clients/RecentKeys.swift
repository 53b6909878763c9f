internal import GalleryPictures

/// A bounded set of keys, of which the earliest are forgotten first.
struct RecentKeys {
    private var keys: Set<ThumbnailKey> = []
    /// A ring buffer of the keys, the earliest at `first`.
    private var order: [ThumbnailKey] = []
    private var first = 0
    private let limit: Int

    init(limit: Int) {
        precondition(limit > 0, "at least one key is remembered")
        self.limit = limit
    }

    func contains(_ key: ThumbnailKey) -> Bool { keys.contains(key) }

    mutating func insert(_ key: ThumbnailKey) {
        guard keys.insert(key).inserted else { return }
        if order.count < limit {
            order.append(key)
        } else {
            keys.remove(order[first])
            order[first] = key
            first = (first + 1) % limit
        }
    }

    /// Removes a key, and returns whether it was there.
    mutating func remove(_ key: ThumbnailKey) -> Bool { keys.remove(key) != nil }
}
