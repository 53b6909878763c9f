public import ImageLoading

/// Small pictures on disk, which outlive the process.
public typealias ThumbnailDiskCache = DiskCache<CheckedLayout<ThumbnailKey>>

extension DiskCache where Layout == CheckedLayout<ThumbnailKey> {
    /// A disk cache of small pictures.
    ///
    /// - Parameters:
    ///   - folder: An absolute path; for this alone.
    ///   - bound: The limits.
    ///   - now: The time since 1970, as files are dated; nil for the system's.
    public convenience init(
        in folder: String, bound: DiskCacheBound = .service,
        now: (@Sendable () -> Duration)? = nil
    ) {
        let layout = CheckedLayout<ThumbnailKey>(limit: Thumbnail.byteLimit + 5) { $0.text }
        self.init(in: folder, layout: layout, bound: bound, now: now)
    }

    /// Returns a small picture; nil if there's none, or none that is whole.
    func thumbnail(for key: ThumbnailKey) -> Thumbnail? {
        guard let entry = find(key), entry.metadata.count == 5,
            let format = Thumbnail.Format(rawValue: entry.metadata[0])
        else { return nil }
        let sides = entry.metadata.map(Int.init)
        let size = PixelSize(width: sides[1] | sides[2] << 8, height: sides[3] | sides[4] << 8)
        return Thumbnail(entry.payload, format, size)
    }

    /// Stores a small picture in place of what was there; quietly not, if that can't be.
    func store(_ thumbnail: Thumbnail, for key: ThumbnailKey) {
        let (width, height) = (thumbnail.size.width, thumbnail.size.height)
        let sides = [width, width >> 8, height, height >> 8].map(UInt8.init(truncatingIfNeeded:))
        store(thumbnail.bytes, metadata: [thumbnail.format.rawValue] + sides, for: key)
    }
}
