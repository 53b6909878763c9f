public import ImageLoading

/// The disk cache of thumbnails.
public typealias ThumbnailDiskCache = DiskCache

extension ThumbnailDiskCache {
    /// Returns a disk cache of thumbnails in a folder of its own.
    public static func thumbnails(
        in folder: String, bound: DiskCacheBound = .service,
        now: (@Sendable () -> Duration)? = nil
    ) -> ThumbnailDiskCache {
        ThumbnailDiskCache(in: folder, bound: bound, limit: Thumbnail.byteLimit, now: now)
    }
}

/// A recipe for thumbnails as files for browsers, with a disk cache.
public struct ThumbnailRecipe: PictureRecipe {
    /// The disk cache of thumbnails.
    public let cache: ThumbnailDiskCache?

    /// Creates the recipe with a disk cache; nil for none.
    public init(cache: ThumbnailDiskCache? = nil) { self.cache = cache }

    /// Returns the key as text.
    public func name(of key: ThumbnailKey) -> String { key.text }

    /// Returns the target size of the kind of thumbnail.
    public func targetSize(of key: ThumbnailKey) -> PixelSize { key.size.targetSize }

    /// Encodes a picture.
    public func make(
        _ picture: Picture, for key: ThumbnailKey
    ) -> any SteppedWork<Thumbnail, PictureError.Reason> {
        ThumbnailEncoder(picture, hasPreview: key.size == .row)
    }

    /// Returns the number of bytes of the file.
    public func size(of thumbnail: Thumbnail) -> Int { thumbnail.byteCount }

    /// Returns true for large views, which belong to one client: their slices would delay the rows
    /// of all others.
    public func prefersWorker(_ key: ThumbnailKey) -> Bool { key.size == .view }

    /// Whether a key identifies a version of its file, which it does.
    public var keysNameStates: Bool { true }

    /// The thumbnails on disk.
    public var store: (any PictureStore<ThumbnailKey, Thumbnail>)? {
        cache.map { ThumbnailStore(cache: $0) }
    }
}

/// The thumbnails in a disk cache.
private struct ThumbnailStore: PictureStore {
    let cache: ThumbnailDiskCache

    func find(_ key: ThumbnailKey, _ stamp: FileStamp?) -> StoredPicture<Thumbnail> {
        cache.find(key.text).map { .value(Thumbnail(bytes: $0.payload)) } ?? .none
    }

    func writer(
        of made: MadePicture<Thumbnail>, for key: ThumbnailKey
    ) -> (any SteppedWork<Void, any Error>)? {
        SingleStep {
            cache.store(made.value.bytes, for: key.text)
            cache.sweepIfDue()
        }
    }

    func maintenance() -> (any SteppedWork<Void, any Error>)? {
        SingleStep {
            cache.check()
            cache.sweepIfDue()
        }
    }

    var failure: DiskCacheFailure? { cache.failure }
}
