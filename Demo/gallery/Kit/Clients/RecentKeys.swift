internal import GalleryPictures

/// The pictures that a page was told of last: so many, the oldest forgotten first.
struct RecentKeys {
    private var keys: Set<ThumbnailKey> = []
    /// In the order in which they came, from `first` on and then from the start.
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
}
