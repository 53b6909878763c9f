internal import GalleryPictures

/// Counts the pictures that were made and that nobody has fetched (yet).
struct Waste {
    /// How many are remembered; of those before them it's known for good that nobody did.
    private static let memory = 1 << 15

    /// How many pictures were made.
    private(set) var made = 0
    private var lost = 0
    private var waiting: Set<ThumbnailKey> = []
    private var order: [ThumbnailKey] = []

    /// How many of them nobody has fetched.
    var unfetched: Int { lost + waiting.count }

    /// A picture was made.
    mutating func add(_ key: ThumbnailKey) {
        made += 1
        guard waiting.insert(key).inserted else {
            lost += 1  // made again, though nobody had it
            return
        }
        order.append(key)
        guard order.count >= 2 * Self.memory else { return }
        for key in order.prefix(Self.memory) where waiting.remove(key) != nil { lost += 1 }
        order.removeFirst(Self.memory)
    }

    /// Somebody has fetched a picture.
    mutating func fetched(_ key: ThumbnailKey) {
        waiting.remove(key)
    }
}
