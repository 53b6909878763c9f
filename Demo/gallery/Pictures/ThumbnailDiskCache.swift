internal import Glibc
internal import IdleLoop
public import ImageLoading

/// Small pictures on disk, which outlive the process: a folder with a file for each.
///
/// A file is there whole or not at all, and says itself which picture it is, how long, and its sum:
/// what doesn't fit is removed, and counts as absent. What is beyond the bound goes, the longest
/// unused first. After something couldn't be written nothing is for a minute, as a full disk stays
/// full; the picture is there all the same, and `trouble` says why it isn't kept.
///
/// All calls wait for the disk and may come from any thread: they're for workers. A process that
/// limits the length of its files must ignore `SIGXFSZ`, which would end it here.
public final class ThumbnailDiskCache: Sendable {
    private static let day = 86_400

    private let folder: String
    private let bound: DiskCacheBound
    private let now: @Sendable () -> Duration
    private let state = Guarded(DiskCacheState())

    /// A disk cache in a folder, which is made when there is something to keep.
    ///
    /// - Parameters:
    ///   - folder: Where; for this alone.
    ///   - bound: What it keeps.
    ///   - now: The time since 1970, as files are dated.
    public init(
        in folder: String, bound: DiskCacheBound = DiskCacheBound(),
        now: @escaping @Sendable () -> Duration = ThumbnailCache.systemTime
    ) {
        self.folder = folder
        self.bound = bound
        self.now = now
    }

    /// Returns a stored thumbnail; nil if there's none, or none that is whole.
    ///
    /// Once a day it's noted that it was used, as the time at which it was written: that it was read
    /// many disks don't note.
    public func find(_ key: ThumbnailKey) -> Thumbnail? {
        let path = path(of: key)
        guard let entry = Self.content(of: path) else { return nil }
        guard let thumbnail = DiskCacheEntry.thumbnail(entry, for: key) else {
            unsafe unlink(path)
            return nil
        }
        noteUse(of: path)
        return thumbnail
    }

    /// Puts one there, in place of what was; quietly not, if that can't be.
    public func store(_ thumbnail: Thumbnail, for key: ThumbnailKey) {
        let now = now()
        guard let begin = state.withLock({ $0.begin(at: now) }) else { return }
        let bytes = DiskCacheEntry.bytes(of: thumbnail, for: key)
        do throws(ThumbnailError) {
            var file = try EntryFile(in: folder)
            try file.append(bytes)
            try file.appear(as: key.text)
        } catch {
            state.withLock { $0.noteTrouble(error, at: now) }
            return
        }
        let bound = bound
        let isDue = state.withLock {
            $0.noteStored(bytes: bytes.count, within: bound, since: begin)
        }
        if isDue { sweep() }
    }

    /// Makes the folder, and finds out whether anything can be put there, before there is something.
    func check() {
        do throws(ThumbnailError) {
            _ = try EntryFile(in: folder)
        } catch {
            state.withLock { [now = now()] in $0.noteTrouble(error, at: now) }
        }
    }

    /// Why nothing can be put there, by what came of the last attempt; nil if that succeeded.
    var trouble: CacheTrouble? {
        state.withLock { $0.error }.map { CacheTrouble(folder: folder, error: $0) }
    }

    /// The number of failed attempts at storing something.
    var failures: Int { state.withLock { $0.failures } }

    /// Removes what is beyond the bound, and what was left behind half-written more than an hour
    /// ago; nothing if another thread is at it.
    ///
    /// It looks at each file of the folder. A program that starts calls it once; then it's called
    /// here when it is due.
    public func sweep() {
        guard state.withLock({ $0.beginSweep() }) else { return }
        var sweep = DiskCacheSweep(of: folder, now: now())
        sweep.run(within: bound)
        let kept = sweep.kept
        state.withLock { $0.endSweep(leaving: kept) }
    }

    /// The content's size, as far as that is known.
    var kept: DiskCacheBound { state.withLock { $0.kept } }

    private func path(of key: ThumbnailKey) -> String { "\(folder)/\(key.text)" }

    /// All bytes of an entry; nil if there is none that can be read.
    private static func content(of path: String) -> [UInt8]? {
        let limits = PictureLimits(fileBytes: DiskCacheEntry.byteLimit)
        do throws(PictureError.Reason) {
            let file = try PictureFile(path: path, limits: limits)
            var bytes = [UInt8](repeating: 0, count: file.byteCount)
            var span = bytes.mutableSpan
            var room = unsafe span.mutableBytes
            let count = try file.read(at: 0, into: &room)
            return Array(bytes[..<count])
        } catch {
            switch error {
            // None of ours is so: what doesn't belong there goes.
            case .empty, .tooLarge, .notARegularFile: unsafe unlink(path)
            default: break
            }
            return nil
        }
    }

    private func noteUse(of path: String) {
        let (seconds, _) = now().components
        guard let status = FileStatus(of: path),
            status.lastChange.seconds <= Int(seconds) - Self.day
        else { return }
        let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        _ = unsafe utimensat(AT_FDCWD, path, [time, time], 0)
    }
}
