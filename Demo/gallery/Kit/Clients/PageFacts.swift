internal import DeferredLoading
internal import GalleryPictures
internal import IdleLoop

/// What a rule may know of the pictures of one page: how far the loader is with them, and whether the
/// page has them.
///
/// What was made for another page is there, but not on this one: it costs nothing, and is wanted.
struct PageFacts: LoadFacts {
    let loader: DeferredLoader<ThumbnailKey, Thumbnail>
    /// What the loader says of itself.
    let facts: any LoadFacts
    /// The key of a row's picture; nil if the page has it.
    let key: (Int) -> ThumbnailKey?

    init(
        _ loader: DeferredLoader<ThumbnailKey, Thumbnail>, key: @escaping (Int) -> ThumbnailKey?
    ) {
        self.loader = loader
        self.key = key
        facts = loader.facts(key: key)
    }

    func progress(ofRow row: Int) -> LoadProgress {
        guard let key = key(row) else { return .settled }
        let progress = loader.progress(of: key)
        return progress == .settled ? .fetched : progress
    }

    func costHint(ofRow row: Int) -> Duration? {
        guard let key = key(row), loader.progress(of: key) != .settled else { return .zero }
        return facts.costHint(ofRow: row)
    }

    func fetchHint(ofRow row: Int) -> Duration? {
        guard let key = key(row), loader.progress(of: key) != .settled else { return .zero }
        return facts.fetchHint(ofRow: row)
    }

    var usualCost: UsualCost? { facts.usualCost }
    var usualFetch: UsualCost? { facts.usualFetch }
    var fetches: Int { facts.fetches }
}
