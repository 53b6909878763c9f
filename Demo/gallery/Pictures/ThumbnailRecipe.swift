public import ImageLoading

/// Thumbnails on disk, which outlive the process.
public typealias ThumbnailDiskCache = DiskCache<CheckedLayout<ThumbnailKey>>

extension DiskCache where Layout == CheckedLayout<ThumbnailKey> {
    /// A disk cache of thumbnails in a folder for them alone.
    public convenience init(
        in folder: String, bound: DiskCacheBound = .service,
        now: (@Sendable () -> Duration)? = nil
    ) {
        let layout = CheckedLayout<ThumbnailKey>(limit: Thumbnail.byteLimit) { $0.text }
        self.init(in: folder, layout: layout, bound: bound, now: now)
    }
}

/// Thumbnails as files that browsers show, kept in a disk cache.
public struct ThumbnailRecipe: PictureRecipe {
    /// The thumbnails that outlive the program.
    public let cache: ThumbnailDiskCache?

    /// Thumbnails that `cache` keeps; nil for nobody.
    public init(cache: ThumbnailDiskCache? = nil) { self.cache = cache }

    /// The key as text.
    public func name(of key: ThumbnailKey) -> String { key.text }

    /// The box of the kind of thumbnail.
    public func box(of key: ThumbnailKey) -> PixelSize { key.size.box }

    /// Encodes a picture.
    public func make(
        _ picture: Picture, for key: ThumbnailKey
    ) -> any SteppedWork<Thumbnail, PictureError.Reason> { ThumbnailEncoder(picture) }

    /// The bytes of the file.
    public func size(of thumbnail: Thumbnail) -> Int { thumbnail.bytes.count }

    /// A large view is one person's: its slices would keep everybody's rows waiting.
    public func prefersWorker(_ key: ThumbnailKey) -> Bool { key.size == .view }

    /// A key has the state of its file in it.
    public var keysNameStates: Bool { true }

    /// Looks into the disk cache.
    public func find(_ key: ThumbnailKey, _ stamp: FileStamp?) -> StoredPicture<Thumbnail> {
        cache?.find(key).map { .value(Thumbnail(bytes: $0.payload)) } ?? .none
    }

    /// Puts a thumbnail into the disk cache.
    public func writer(
        of made: MadePicture<Thumbnail>, for key: ThumbnailKey
    ) -> (any SteppedWork<Void, any Error>)? {
        cache.map { cache in
            SingleStep {
                cache.store(made.value.bytes, for: key)
                cache.sweepIfDue()
            }
        }
    }

    /// Tidies the disk cache up.
    public func upkeep() -> (any SteppedWork<Void, any Error>)? {
        cache.map { cache in
            SingleStep {
                cache.check()
                cache.sweepIfDue()
            }
        }
    }

    /// The reason why thumbnails can't be kept.
    public var trouble: DiskCacheTrouble? { cache?.trouble }
}
