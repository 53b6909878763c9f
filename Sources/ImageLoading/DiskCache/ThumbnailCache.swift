import Glibc

/// Thumbnails on disk, shared with other programs as freedesktop's Thumbnail Managing Standard says.
///
/// A file's thumbnail is a PNG named after the file's address, `large/c6ee772d….png`, with the time
/// at which the file was last written in it. Files that give no picture are noted in `fail/lull-1`.
///
/// ```swift
/// let cache = CacheDirectory.ofUser().map { ThumbnailCache(in: $0 + "/thumbnails") }
/// // in a service:
/// CacheDirectory.ofService().map { ThumbnailCache(in: $0 + "/thumbnails", bound: .service) }
/// ```
///
/// Not stored: what can't be read or was written less than three seconds ago, thumbnails themselves,
/// and pictures that were shrunk to other sizes than 128, 256, 512 and 1024. An entry appears
/// when it is whole. After one couldn't be written, nothing is for a minute.
///
/// A process that limits the length of its files must ignore `SIGXFSZ`, which would end it here.
public final class ThumbnailCache: Sendable {
    /// The time after it was written in which a file may still be growing.
    private static let coolOff = Duration.seconds(3)

    private let cache: DiskCache<ThumbnailLayout>

    /// A cache in a folder, which is not touched before there is something to store.
    ///
    /// - Parameters:
    ///   - folder: An absolute path; `thumbnails` of ``CacheDirectory`` is shared.
    ///   - bound: The limits. What is beyond goes when a thumbnail was written, oldest first.
    ///   - now: The time since 1970, as files are dated; nil for the system's.
    public init(
        in folder: String, bound: DiskCacheBound = .none,
        now: (@Sendable () -> Duration)? = nil
    ) {
        cache = DiskCache(in: folder, layout: ThumbnailLayout(), bound: bound, now: now)
    }

    /// Returns the work of removing what is beyond the bound or was left behind half-written.
    ///
    /// A writer does it when it is due; call this where nothing is written, to remove what is old.
    public func sweep() -> DiskCacheSweep { cache.sweep() }
}

extension ThumbnailCache: ThumbnailStore {
    /// Returns the smallest shared size that holds the box; nil beyond 1024 pixels.
    public func size(serving box: PixelSize) -> PixelSize? { ThumbnailSize(serving: box)?.box }

    /// Looks for a thumbnail of the right size, then for larger ones, then for a smaller one that
    /// is all of its file, then for a failure.
    ///
    /// Five files are looked for at most, and the heads of those that are there are read: some
    /// 20 µs.
    public func find(
        _ file: String, _ stamp: FileStamp, serving box: PixelSize
    ) -> StoredPicture<Picture> {
        guard let uri = FileURI(file: file) else { return .none }
        let size = ThumbnailSize(serving: box)
        let name = uri.thumbnailName
        for other in Self.searchOrder(for: size) {
            let key = ThumbnailLayout.Key(folder: other.folder, name: name)
            guard let attributes = attributes(of: key, uri, stamp),
                attributes.size.fitted(in: other.box) == attributes.size
            else { continue }
            let isEnough = size.map { other.rawValue >= $0.rawValue } ?? false
            if isEnough || attributes.isWhole {
                return Self.isReadable(file) ? .file(cache.filePath(of: key)) : .none
            }
        }
        let failure = ThumbnailLayout.Key(folder: ThumbnailLayout.failures, name: name)
        guard attributes(of: failure, uri, stamp) != nil else { return .none }
        return Self.isReadable(file) ? .failed : .none
    }

    /// Returns the work of storing a picture; nil if this one is not to be stored, or nothing at
    /// present.
    ///
    /// - Parameters:
    ///   - picture: The file's picture, upright, fitted in `size(serving:)` of some box.
    ///   - file: The path of the file.
    ///   - stamp: The state of the file before it was decoded.
    ///   - header: The header of the file; nil if another process has read it.
    /// - Returns: The work. Its last steps remove what is beyond the bound.
    public func writer(
        of picture: Picture, from file: String, _ stamp: FileStamp, header: PictureHeader?
    ) -> (any SteppedWork<Void, any Error>)? {
        let original = header?.orientedSize ?? picture.size
        guard let size = ThumbnailSize(of: picture.size, from: original) else { return nil }
        return writer(of: picture, in: size.folder, from: file, stamp, header)
    }

    /// Notes at once that a file gives no picture: one small file is written.
    ///
    /// A file that was written less than three seconds ago may still be growing, and isn't noted.
    public func noteFailure(of file: String, _ stamp: FileStamp) {
        let nothing = Picture(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 0])
        guard let writer = writer(of: nothing, in: ThumbnailLayout.failures, from: file, stamp, nil)
        else { return }
        do {
            while !writer.isStored, try writer.advance() == nil {}
        } catch {
            // A failure that can't be noted is found anew; the cache has noted the error.
        }
    }

    private func writer(
        of picture: Picture, in folder: String, from file: String, _ stamp: FileStamp,
        _ header: PictureHeader?
    ) -> ThumbnailWriter? {
        let age = cache.state.now - .seconds(stamp.seconds) - .nanoseconds(stamp.nanoseconds)
        // A date in the future is a wrong clock's, and no reason to leave the file out for ever.
        guard !cache.state.isPaused, stamp.seconds >= 0, max(age, .zero - age) >= Self.coolOff,
            let uri = FileURI(file: file), Self.isReadable(file), !isThumbnail(file)
        else { return nil }
        return ThumbnailWriter(
            picture, for: ThumbnailLayout.Key(folder: folder, name: uri.thumbnailName), in: cache,
            texts: ThumbnailAttributes.texts(of: uri, stamp, header)
        ) { FileStamp(ofFile: file) == stamp }
    }

    /// Returns what an entry says of itself; nil if it isn't of that file, as it is now.
    private func attributes(
        of key: ThumbnailLayout.Key, _ uri: FileURI, _ stamp: FileStamp
    ) -> ThumbnailAttributes? {
        guard let entry = try? cache.open(key), let attributes = ThumbnailAttributes(of: entry),
            attributes.isTrue(of: uri, stamp)
        else { return nil }
        cache.noteUse(of: entry)
        return attributes
    }

    private func isThumbnail(_ file: String) -> Bool {
        guard let file = Self.resolved(file), let root = Self.resolved(cache.folder) else {
            return false
        }
        return file.hasPrefix(root + "/")
    }

    private static func searchOrder(for size: ThumbnailSize?) -> [ThumbnailSize] {
        let first = size?.rawValue ?? .max
        let all = ThumbnailSize.allCases
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
