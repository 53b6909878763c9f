internal import DeferredLoading
internal import GalleryCatalogue
internal import GalleryFiles
internal import GalleryPictures
internal import IdleLoop
internal import ImageLoading

/// The thumbnails of the listed pictures: how they are loaded, what they cost, and which were used.
///
/// A picture on a server may change at any time, so its thumbnail is fetched again after a while.
final class Thumbnails {
    let catalogue: Catalogue
    let source: ThumbnailSource
    let loader: DeferredLoader<ThumbnailKey, Thumbnail>
    let making: ThumbnailStrategy
    /// The time for which a picture from a server is shown.
    let freshness: Duration
    private(set) var unused = UnusedPictures()
    /// The recent mean of the bytes of rows' pictures; zero before the first.
    private(set) var usualBytes = 0.0
    /// When pictures on servers were asked for last.
    private var remotes = RecentValues<ThumbnailKey, Instant>(limit: 1 << 14)
    private let clock: LoopClock

    init(
        of catalogue: Catalogue, from source: ThumbnailSource,
        by loader: DeferredLoader<ThumbnailKey, Thumbnail>, making: ThumbnailStrategy,
        freshness: Duration, clock: LoopClock
    ) {
        self.catalogue = catalogue
        self.source = source
        self.loader = loader
        self.making = making
        self.freshness = freshness
        self.clock = clock
    }

    /// Returns the expected time to make a picture, from its file's length and its number of
    /// pixels: some files have few bytes for many pixels.
    func cost(of key: ThumbnailKey) -> Duration {
        let pixels = catalogue.entry(of: key.picture.id)?.pixels
        let area = pixels.map { $0.width * $0.height } ?? 0
        return max(source.cost(of: key) ?? .milliseconds(1), .nanoseconds(6 * area))
    }

    // MARK: - Pictures on servers

    /// Returns whether a picture is on a server.
    func isRemote(_ key: ThumbnailKey) -> Bool {
        catalogue.entry(of: key.picture.id)?.path.isShortcut == true
    }

    /// Invalidates a picture on a server, or its failure, if it is older than the limit, so that it
    /// is fetched again.
    func forgetStale(_ key: ThumbnailKey) {
        guard isRemote(key), loader.state(of: key).isSettled else { return }
        let age = remotes[key].map { $0.duration(to: clock.now) }
        if let age, age < freshness { return }
        noteRemote(key)
        source.forgetFailure(of: key)
        loader.invalidate(key)
    }

    private func noteRemote(_ key: ThumbnailKey) {
        remotes.insert(clock.now, for: key)
    }

    // MARK: - Use

    /// Records that a picture was made: the time for a picture on a server, and its aspect ratio for
    /// the catalogue.
    func noteMade(_ key: ThumbnailKey, _ thumbnail: Thumbnail) {
        unused.noteMade(key)
        if key.size == .row {
            let bytes = Double(thumbnail.bytes.count)
            usualBytes = usualBytes > 0 ? usualBytes + (bytes - usualBytes) / 32 : bytes
        }
        guard isRemote(key) else { return }
        noteRemote(key)
        guard key.size == .row,
            let header = try? PictureHeader.read(.bytes(thumbnail.bytes), named: key.text)
        else { return }
        catalogue.take(header.size, ofRemote: key.picture)
    }

    /// Records that a picture was fetched.
    func noteFetched(_ key: ThumbnailKey) { unused.noteFetched(key) }
}
