internal import GalleryPictures

/// The number of pictures that were made, and of those that were never fetched.
struct Waste {
    private(set) var made = 0
    private var fetched = 0
    /// The pictures that were not fetched yet; older ones count as never fetched.
    private var waiting = RecentKeys(limit: 1 << 15)

    var unfetched: Int { made - fetched }

    /// Counts a picture that was made.
    mutating func noteMade(_ key: ThumbnailKey) {
        made += 1
        waiting.insert(key)
    }

    /// Counts a picture the first time that it is fetched.
    mutating func noteFetched(_ key: ThumbnailKey) {
        if waiting.remove(key) { fetched += 1 }
    }
}
