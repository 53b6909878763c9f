import LullLibC

/// A cache of thumbnails on disk, shared with other programs by freedesktop's Thumbnail Managing
/// Standard.
///
/// A file's thumbnail is a PNG that is named after the file's URI, `large/c6ee772d….png`, and
/// contains the file's modification time, and, if it was stored here, the precise times of the file's
/// changes. Files that give no picture are recorded in `fail/lull-1`.
///
/// ```swift
/// let cache = CacheDirectory.ofUser().map { ThumbnailCache(in: $0 + "/thumbnails") }
/// // in a service:
/// CacheDirectory.ofService().map { ThumbnailCache(in: $0 + "/thumbnails", bound: .service) }
/// ```
///
/// Not stored are files that can't be read or were written less than three seconds ago, thumbnails
/// themselves, and pictures that were reduced to sizes other than 128, 256, 512 and 1024. An entry
/// becomes visible when it's complete. After a failed write nothing is written for a minute.
///
/// A process that limits the size of its files must ignore `SIGXFSZ`, which would terminate it
/// here.
public final class ThumbnailCache: Sendable {
    /// The time after its last write during which a file may still be growing.
    private static let coolOff = Duration.seconds(3)

    /// The directory of failure records: the program's name, and the version of its set of formats.
    private static let failures = "fail/lull-1"

    let cache: DiskCache

    /// Creates a cache in a directory, which isn't touched before there is something to store.
    ///
    /// - Parameters:
    ///   - folder: An absolute path; `thumbnails` in ``CacheDirectory`` is shared.
    ///   - bound: The limits. What exceeds them is evicted after a thumbnail was written, oldest
    ///     first.
    ///   - now: Returns the time since 1970, as used in file timestamps; nil for the system's
    ///     clock.
    public init(
        in folder: String, bound: DiskCacheBound = .none,
        now: (@Sendable () -> Duration)? = nil
    ) {
        cache = DiskCache(
            in: folder, folders: ThumbnailSize.allCases.map(\.folder) + [Self.failures],
            suffix: ".png", bound: bound, now: now)
    }
}

extension ThumbnailCache: PictureStore {
    /// Returns the size that serves all smaller requests; nil if no thumbnail is stored.
    ///
    /// A picture isn't stored if a thumbnail in its own file is enough: that is faster to read.
    public func decodingSize(of request: PictureRequest, _ header: PictureHeader?) -> PixelSize? {
        let isServed = header?.isServedByThumbnail(fitting: request.targetSize) ?? false
        guard !request.isRemote, !isServed else { return nil }
        return ThumbnailSize(serving: request.targetSize)?.pixelSize
    }

    /// Looks for a thumbnail of the right size, then for larger ones, then for a smaller one that
    /// has the original's full size, then for a failure record.
    ///
    /// At most five files are looked for, and the headers of those that exist are read, in about 20
    /// µs.
    public func find(_ request: PictureRequest, _ stamp: FileStamp?) -> StoredPicture<Picture> {
        let file = request.name
        guard !request.isRemote, let stamp,
            let size = ThumbnailSize(serving: request.targetSize), let uri = FileURI(file: file)
        else { return .none }
        for other in Self.searchOrder(for: size) {
            let path = "\(other.folder)/\(uri.thumbnailName)"
            guard let attributes = attributes(at: path, uri, stamp),
                attributes.size.fitted(in: other.pixelSize) == attributes.size
            else { continue }
            if other.rawValue >= size.rawValue || attributes.isWhole {
                return Self.isReadable(file) ? .file("\(cache.folder)/\(path)") : .none
            }
        }
        guard attributes(at: "\(Self.failures)/\(uri.thumbnailName)", uri, stamp) != nil,
            Self.isReadable(file)
        else { return .none }
        return .failed
    }

    /// Returns the work of storing a thumbnail; its last steps evict what exceeds the bound.
    public func writer(
        of made: MadePicture<Picture>, for request: PictureRequest
    ) -> (any SteppedWork<Void, any Error>)? {
        let original = made.header?.orientedSize ?? made.picture.size
        guard let stamp = made.stamp, decodingSize(of: request, made.header) != nil,
            let size = ThumbnailSize(of: made.picture.size, from: original)
        else { return nil }
        return writer(of: made.picture, in: size.folder, from: request, stamp, made.header)
    }

    /// Returns the work of recording a failure in one small file.
    ///
    /// A file that was written less than three seconds ago may still be growing, and isn't
    /// recorded.
    public func failureWriter(
        of request: PictureRequest, _ stamp: FileStamp
    ) -> (any SteppedWork<Void, any Error>)? {
        let nothing = Picture(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 0])
        return writer(of: nothing, in: Self.failures, from: request, stamp, nil)
    }

    /// The last failure to write; nil if the last attempt succeeded.
    public var failure: DiskCacheFailure? { cache.failure }
}

extension ThumbnailCache {
    private func writer(
        of picture: Picture, in folder: String, from request: PictureRequest, _ stamp: FileStamp,
        _ header: PictureHeader?
    ) -> ThumbnailWriter? {
        let age = cache.now - .seconds(stamp.seconds) - .nanoseconds(stamp.nanoseconds)
        // A modification time in the future comes from a wrong clock, and must not exclude the file
        // for ever.
        let file = request.name
        guard !request.isRemote, !cache.isPaused, stamp.seconds >= 0,
            max(age, .zero - age) >= Self.coolOff,
            let uri = FileURI(file: file), Self.isReadable(file), !isThumbnail(file)
        else { return nil }
        return ThumbnailWriter(
            picture, at: "\(folder)/\(uri.thumbnailName)", in: cache,
            texts: ThumbnailAttributes.texts(of: uri, stamp, header)
        ) { FileStamp(ofFile: file) == stamp }
    }

    /// Returns the metadata of an entry; nil if it isn't that of the file in its current state.
    private func attributes(
        at path: String, _ uri: FileURI, _ stamp: FileStamp
    ) -> ThumbnailAttributes? {
        guard let entry = try? cache.open(path), let attributes = ThumbnailAttributes(of: entry),
            attributes.isTrue(of: uri, stamp)
        else { return nil }
        cache.recordUse(of: entry)
        return attributes
    }

    private func isThumbnail(_ file: String) -> Bool {
        guard let file = Self.resolved(file), let root = Self.resolved(cache.folder) else {
            return false
        }
        return file.hasPrefix(root + "/")
    }

    private static func searchOrder(for size: ThumbnailSize) -> [ThumbnailSize] {
        let (first, all) = (size.rawValue, ThumbnailSize.allCases)
        return all.filter { $0.rawValue >= first } + all.filter { $0.rawValue < first }.reversed()
    }

    private static func isReadable(_ file: String) -> Bool {
        unsafe faccessat(AT_FDCWD, file, R_OK, AT_EACCESS) == 0
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(validatingCString: resolved)
    }
}
