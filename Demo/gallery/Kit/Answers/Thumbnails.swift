internal import DeferredLoading
internal import GalleryCatalogue
internal import GalleryFiles
internal import GalleryPictures
internal import IdleLoop
internal import ImageLoading

/// The thumbnails of the listed pictures: how they are loaded, what they cost, and which were used.
final class Thumbnails {
    let catalogue: Catalogue
    let source: ThumbnailSource
    let loader: DeferredLoader<ThumbnailKey, Thumbnail>
    let making: ThumbnailStrategy
    private(set) var unused = UnusedPictures()
    /// The recent mean of the bytes of rows' pictures; zero before the first.
    private(set) var usualBytes = 0.0

    init(
        of catalogue: Catalogue, from source: ThumbnailSource,
        by loader: DeferredLoader<ThumbnailKey, Thumbnail>, making: ThumbnailStrategy
    ) {
        self.catalogue = catalogue
        self.source = source
        self.loader = loader
        self.making = making
    }

    /// Returns the expected time to make a picture, from its file's length and its number of
    /// pixels: some files have few bytes for many pixels.
    func cost(of key: ThumbnailKey) -> Duration {
        let pixels = catalogue.entry(of: key.picture.id)?.pixels
        let area = pixels.map { $0.width * $0.height } ?? 0
        return max(source.cost(of: key) ?? .milliseconds(1), .nanoseconds(6 * area))
    }

    /// Records that a picture was made, ahead or for somebody.
    func noteMade(_ key: ThumbnailKey, _ thumbnail: Thumbnail, isAhead: Bool) {
        if !isAhead { unused.noteMade(key) }
        if key.size == .row {
            let bytes = Double(thumbnail.byteCount)
            usualBytes = usualBytes > 0 ? usualBytes + (bytes - usualBytes) / 32 : bytes
        }
    }

    /// Records that a picture was fetched.
    func noteFetched(_ key: ThumbnailKey) { unused.noteFetched(key) }
}
