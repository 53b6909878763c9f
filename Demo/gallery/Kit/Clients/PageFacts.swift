internal import DeferredLoading
internal import GalleryCatalogue
internal import GalleryPictures
internal import IdleLoop

/// What a rule may know of the pictures of one page: how far the loader is with them, and whether the
/// page has them.
///
/// What was made for another page is there, but not on this one: it costs nothing, and is wanted.
/// Rules ask for each row on the list's way at each look, so nothing is made anew for that.
final class PageFacts: LoadFacts {
    // The page has the rule, and the rule has this.
    private unowned let client: Client
    private unowned let gallery: Gallery
    private let loader: DeferredLoader<ThumbnailKey, Thumbnail>

    init(of client: Client, _ gallery: Gallery) {
        self.client = client
        self.gallery = gallery
        loader = gallery.loader
    }

    func progress(ofRow row: Int) -> LoadProgress {
        guard let key = client.key(ofRow: row) else { return .settled }
        let progress = loader.progress(of: key)
        return progress == .settled ? .fetched : progress
    }

    func costHint(ofRow row: Int) -> Duration? {
        guard let key = client.key(ofRow: row), loader.progress(of: key) != .settled else {
            return .zero
        }
        let bytes = gallery.catalogue.entry(atPosition: row).byteCount
        return gallery.source.cost(of: key.size, fileBytes: bytes)
    }

    func fetchHint(ofRow row: Int) -> Duration? {
        guard let key = client.key(ofRow: row), loader.progress(of: key) != .settled else {
            return .zero
        }
        return loader.fetchHint(of: key)
    }

    var usualCost: Duration? { loader.usualCost?.mean }
    var usualFetch: Duration? { loader.usualFetch?.mean }
    var fetches: Int { loader.fetches }
}
