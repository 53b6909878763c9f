import Glibc

/// How long after it was written a file may still be growing.
private let coolOff = Duration.seconds(3)

extension ThumbnailCache: @unchecked Sendable, ThumbnailStore {
    /// The smallest shared size that holds the box; nil beyond 1024 pixels.
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
        let name = uri.thumbnailName
        let size = ThumbnailSize(serving: box)
        for other in Self.searchOrder(for: size) {
            let path = "\(root)/\(other.folder)/\(name)"
            guard let attributes = attributes(of: path, of: uri, stamp) else { continue }
            let isEnough = size.map { other.rawValue >= $0.rawValue } ?? false
            if isEnough || attributes.isWhole {
                return Self.isReadable(file) ? .file(path) : .none
            }
        }
        let path = "\(root)/\(Self.failures)/\(name)"
        guard attributes(of: path, of: uri, stamp) != nil else { return .none }
        return Self.isReadable(file) ? .failed : .none
    }

    /// The work of storing a picture; nil if this one is not to be stored, or nothing at present.
    ///
    /// - Parameters:
    ///   - picture: The file's picture, upright, fitted in `size(serving:)` of some box.
    ///   - file: Where it comes from.
    ///   - stamp: The state of the file before it was decoded.
    ///   - header: What the file said of itself.
    /// - Returns: The work. Its last steps remove what is beyond the bound.
    public func writer(
        of picture: Picture, from file: String, _ stamp: FileStamp, header: PictureHeader
    ) -> (any SteppedWork<Void, any Error>)? {
        guard let size = ThumbnailSize(of: picture.size, from: header.orientedSize) else {
            return nil
        }
        return entry(in: size.folder, of: file, stamp, header).map {
            EntryWriter($0, picture, for: self)
        }
    }

    /// Notes at once that a file gives no picture: one small file is written.
    ///
    /// A file that was written less than three seconds ago may still be growing, and isn't noted.
    public func noteFailure(of file: String, _ stamp: FileStamp) {
        guard let entry = entry(in: Self.failures, of: file, stamp, nil) else { return }
        let nothing = Picture(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 0])
        let writer = EntryWriter(entry, nothing, for: self)
        // A failure that can't be noted is found anew; the writer has seen to the pause.
        while !writer.isSettled, (try? writer.step()) == false {}
    }

    private func entry(
        in folder: String, of file: String, _ stamp: FileStamp, _ header: PictureHeader?
    ) -> ThumbnailEntry? {
        let now = now()
        let age = now - .seconds(stamp.seconds) - .nanoseconds(stamp.nanoseconds)
        // A date in the future is a wrong clock's, and no reason to leave the file out for ever.
        guard !isPaused, stamp.seconds >= 0, max(age, .zero - age) >= coolOff,
            let uri = FileURI(file: file), Self.isReadable(file), !isThumbnail(file)
        else { return nil }
        return ThumbnailEntry(
            folder: "\(root)/\(folder)", uri: uri, source: file, stamp: stamp, header: header)
    }

    private func attributes(
        of path: String, of uri: FileURI, _ stamp: FileStamp
    ) -> ThumbnailAttributes? {
        guard let entry = FoundEntry(path), entry.attributes.isTrue(of: uri, stamp) else {
            return nil
        }
        if !bound.isNone { entry.noteUse(now: now()) }
        return entry.attributes
    }

    private func isThumbnail(_ file: String) -> Bool {
        guard let file = Self.resolved(file), let root = Self.resolved(root) else { return false }
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
