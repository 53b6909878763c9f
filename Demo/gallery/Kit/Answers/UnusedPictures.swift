internal import GalleryPictures

/// The number of pictures that were made, and of those that were never fetched.
struct UnusedPictures {
    private(set) var made = 0
    private var fetched = 0
    /// The pictures that nobody has fetched yet; of those before them it's known for good.
    private var waiting = RecentValues<ThumbnailKey, Void>(limit: 1 << 15)

    var unfetched: Int { made - fetched }

    /// Counts a picture that was made.
    mutating func noteMade(_ key: ThumbnailKey) {
        made += 1
        waiting.insert((), for: key)
    }

    /// Counts a picture the first time that it is fetched.
    mutating func noteFetched(_ key: ThumbnailKey) {
        if waiting.remove(key) != nil { fetched += 1 }
    }
}
