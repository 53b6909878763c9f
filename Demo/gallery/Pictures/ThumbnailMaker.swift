public import GalleryFiles
internal import IdleLoop
public import ImageLoading

/// Makes small pictures off the loop, or as much of the work as is to be done there.
///
/// Its calls wait for the disk: they're for workers, and for threads of whoever has some.
public struct ThumbnailMaker: Sendable {
    let folder: PictureFolder
    let cache: ThumbnailDiskCache?
    let limits: PictureLimits

    /// Pictures of files beneath a folder.
    ///
    /// - Parameters:
    ///   - folder: Where they are.
    ///   - cache: Where those that were made are kept; nil for nowhere.
    ///   - limits: What a file may cost.
    public init(folder: PictureFolder, cache: ThumbnailDiskCache?, limits: PictureLimits) {
        self.folder = folder
        self.cache = cache
        self.limits = limits
    }

    /// Finds or makes a small picture whole, at once.
    ///
    /// - Parameters:
    ///   - key: Which.
    ///   - path: Where the picture is.
    /// - Returns: The small picture, which is kept in the disk cache from now on.
    /// - Throws: Why there is none.
    public func thumbnail(
        _ key: ThumbnailKey, at path: FilePath
    ) throws(ThumbnailFailure) -> Thumbnail {
        if let found = cache?.find(key) { return found }
        return try make(key, of: try read(key, at: path)).thumbnail
    }

    /// Does what a worker has to do before the rest is done on the loop, which may be all.
    ///
    /// - Parameters:
    ///   - key: Which small picture.
    ///   - path: Where the picture is.
    ///   - lane: Where a picture with such a header is best decoded.
    /// - Returns: What came of it.
    func fetch(
        _ key: ThumbnailKey, at path: FilePath, lane: (PictureHeader) -> DecodingLane
    ) -> FetchedThumbnail {
        if let found = cache?.find(key) { return .found(found) }
        do throws(ThumbnailFailure) {
            let picture = try read(key, at: path)
            guard lane(picture.header) == .worker else { return .read(picture) }
            let made = try make(key, of: picture)
            return .made(made.thumbnail, picture.header, decoding: made.decoding)
        } catch {
            return .failed(error)
        }
    }

    /// Returns a decoder of a file that was read.
    func decoder(_ key: ThumbnailKey, of picture: ReadPicture) -> PictureJob {
        PictureJob(
            bytes: picture.bytes, named: key.text, fitting: key.size.box, limits: limits,
            options: PictureJob.Options(givesPreviews: false))
    }

    private func read(
        _ key: ThumbnailKey, at path: FilePath
    ) throws(ThumbnailFailure) -> ReadPicture {
        let bytes = try bytes(key, at: path)
        do throws(PictureError) {
            let header = try PictureHeader.read(bytes, named: key.text, limits: limits)
            return ReadPicture(bytes: bytes, header: header)
        } catch {
            throw .picture(error.reason)
        }
    }

    /// All of a file, if it's still that which the key stands for.
    private func bytes(_ key: ThumbnailKey, at path: FilePath) throws(ThumbnailFailure) -> [UInt8] {
        do throws(FileError) {
            let file = try folder.open(path)
            if file.facts.stamp == key.picture.stamp {
                return try file.bytes(upTo: limits.fileBytes)
            }
        } catch {
            throw ThumbnailFailure(error)
        }
        throw .changed
    }

    /// Not inlined: within a closure that is sent to a worker, Swift 6.3's optimizer never comes to
    /// an end with a decoder.
    @inline(never)
    private func make(
        _ key: ThumbnailKey, of picture: ReadPicture
    ) throws(ThumbnailFailure) -> (thumbnail: Thumbnail, decoding: Duration) {
        let start = LoopClock.monotonic.now
        do throws(PictureError) {
            let decoded = try decoder(key, of: picture).decode()
            let decoding = start.duration(to: LoopClock.monotonic.now)
            let thumbnail = try Self.encoded(decoded, key)
            cache?.store(thumbnail, for: key)
            return (thumbnail, decoding)
        } catch {
            throw .picture(error.reason)
        }
    }

    private static func encoded(
        _ picture: Picture, _ key: ThumbnailKey
    ) throws(PictureError) -> Thumbnail {
        do throws(PictureError.Reason) {
            return try ThumbnailEncoder(picture).encode()
        } catch {
            throw PictureError(file: key.text, reason: error)
        }
    }
}
