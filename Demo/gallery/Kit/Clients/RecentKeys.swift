internal import GalleryPictures
internal import ImageLoading

/// A bounded set of keys, from which the oldest are removed first.
struct RecentKeys {
    private var keys = RecencyTable<ThumbnailKey, Void>()
    private let limit: Int

    init(limit: Int) {
        precondition(limit > 0, "at least one key is remembered")
        self.limit = limit
    }

    func contains(_ key: ThumbnailKey) -> Bool { keys[key] != nil }

    mutating func insert(_ key: ThumbnailKey) {
        keys.insert((), for: key)
        if keys.count > limit { keys.removeOldest() }
    }

    /// Removes a key, and returns whether it was there.
    mutating func remove(_ key: ThumbnailKey) -> Bool { keys.remove(key) != nil }
}
