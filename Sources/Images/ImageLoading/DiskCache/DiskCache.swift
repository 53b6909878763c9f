internal import IdleLoop
internal import LullLibC

/// A bounded cache of files on disk under keys, which outlive the process.
///
/// ```swift
/// let cache = DiskCache(in: "/var/cache/mine/pages", bound: .service)
/// cache.store(page, for: "https://example.org/")
/// let found = cache.find("https://example.org/")?.payload
/// cache.sweepIfDue()
/// ```
///
/// An entry is complete or absent, even after a process was killed, and while others write to the
/// same directory. The least recently used entries are evicted first; use is recorded once a day.
/// After a failed write nothing is written for a minute, as a full disk stays full; see
/// ``failure``.
///
/// A process that limits the size of its files must ignore `SIGXFSZ`, which would terminate it
/// here.
///
/// All calls block on the disk for a short time, and may be made from any thread.
public final class DiskCache: Sendable {
    private struct State {
        var pausedUntil = Duration.zero
        /// The error of the last attempt to write.
        var error: DiskCacheError?
        var failures = 0
        /// The size of the entries that were stored since the last sweep began.
        var stored = DiskCacheSize()
        var lastSweep: Duration?
        /// The size of the entries that the last sweep has left.
        var kept = DiskCacheSize()
    }

    private static let pause = Duration.seconds(60)
    private static let day = Duration.seconds(86_400)

    /// The directory, which is created when there is something to store.
    public let folder: String
    /// The maximum size of an entry's metadata and payload together, in bytes.
    public let limit: Int
    /// The directories of entries, relative to the cache's own.
    let folders: [String]
    /// The end of an entry's name, after the hash of its key.
    let suffix: String
    private let bound: DiskCacheBound
    private let clock: (@Sendable () -> Duration)?
    private let state = Guarded(State())
    /// The sweep in progress.
    private let sweeping = Guarded<DiskCacheSweep?>(nil)

    /// Creates a disk cache in a directory.
    ///
    /// - Parameters:
    ///   - folder: An absolute path.
    ///   - bound: The limits of all entries together.
    ///   - limit: The maximum size of an entry's metadata and payload together, in bytes.
    ///   - now: Returns the time since 1970, as used in file timestamps; nil for the system's
    ///     clock.
    ///
    /// Traps if the folder's path isn't absolute, or the limit isn't 0 to 2^30.
    public convenience init(
        in folder: String, bound: DiskCacheBound = .service, limit: Int = 16 << 20,
        now: (@Sendable () -> Duration)? = nil
    ) {
        self.init(
            in: folder, folders: [""], suffix: ".lull", bound: bound, limit: limit, now: now)
    }

    /// Creates a disk cache whose entries have the given directories and endings.
    init(
        in folder: String, folders: [String], suffix: String, bound: DiskCacheBound,
        limit: Int = 1 << 30, now: (@Sendable () -> Duration)?
    ) {
        precondition(
            folder.hasPrefix("/") && !folder.utf8.contains(0),
            "a disk cache is under an absolute path")
        precondition((0...1 << 30).contains(limit), "an entry has at most 2^30 bytes")
        self.folder = folder
        self.folders = folders
        self.suffix = suffix
        self.bound = bound
        self.limit = limit
        clock = now
    }

    /// The last failure to write; nil if the last attempt succeeded.
    public var failure: DiskCacheFailure? {
        state.withLock { $0.error }.map { DiskCacheFailure(folder: folder, error: $0) }
    }

    /// The number of failures to write.
    public var failures: Int { state.withLock { $0.failures } }

    /// Whether it holds as much as a sweep leaves, as far as is known, so that what is stored from now
    /// on may displace other entries; false before its first sweep.
    public var isFull: Bool {
        let size = state.withLock { $0.kept + $0.stored }
        return bound.afterSweep.isExceeded(by: size + DiskCacheSize(ofFile: 1))
    }

    /// Creates the directory, and records the failure if it isn't writable.
    public func check() {
        _ = try? writer(at: "")
    }

    /// Does the next small step of a sweep, if one is in progress or due.
    ///
    /// A sweep is due at first, then whenever a sixteenth of the bound was stored, and once a day.
    /// Call this after storing; a sweep that isn't finished is continued by the next call.
    ///
    /// - Returns: Whether there is nothing left to do, or another thread does it.
    public func stepSweep() -> Bool {
        sweeping.withLockIfAvailable { sweep in
            if sweep == nil, beginSweep() { sweep = self.sweep() }
            if let current = sweep, current.step() {
                state.withLock { $0.kept = current.kept }
                sweep = nil
            }
            return sweep == nil
        } ?? true
    }

    /// Completes a sweep that is due; see ``stepSweep()``.
    public func sweepIfDue() {
        while !stepSweep() {}
    }

    /// Returns the work of removing what exceeds the bound, and what was left partially written.
    func sweep() -> DiskCacheSweep {
        DiskCacheSweep(of: folder, folders, suffix: suffix, bound: bound, now: now)
    }

    /// Returns whether a sweep is due, and has begun with that.
    private func beginSweep() -> Bool {
        let (now, reserve) = (now, bound.reserve)
        return state.withLock {
            // A clock that was set back must not delay the sweep.
            let isOld = $0.lastSweep.map { max($0 - now, now - $0) >= Self.day } ?? true
            guard isOld || reserve.isExceeded(by: $0.stored) else { return false }
            $0.stored = DiskCacheSize()
            $0.lastSweep = now
            return true
        }
    }

    // MARK: - Files

    /// The time since 1970.
    package var now: Duration {
        if let clock { return clock() }
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Whether writing is paused.
    var isPaused: Bool {
        // A clock that was set back must not prolong the pause.
        let end = state.withLock { $0.pausedUntil }
        return (end - Self.pause..<end).contains(now)
    }

    /// Begins to write a file at a path in the cache's directory.
    ///
    /// - Returns: The writer of the file, which is absent until it is committed.
    /// - Throws: The system's error, which pauses the cache for a minute, or `paused`.
    func writer(at path: String) throws(DiskCacheError) -> DiskCacheWriter {
        guard !isPaused else { throw .paused }
        let (path, name) = DiskCacheFolder.split(path)
        do throws(DiskCacheError) {
            let folder = try DiskCacheFolder(path, beneath: folder, isMade: true)
            return try DiskCacheWriter(name, in: folder, of: self)
        } catch {
            recordFailure(error)
            throw error
        }
    }

    /// Removes the file at a path, if it exists.
    func remove(at path: String) {
        let (path, name) = DiskCacheFolder.split(path)
        if let folder = try? DiskCacheFolder(path, beneath: folder) { folder.remove(name) }
    }

    /// Opens the file at a path; nil if there is none, or it can't be opened now.
    ///
    /// - Throws: An error for anything that isn't an entry: a link, a pipe, a device, a directory,
    ///   an empty file.
    func open(_ path: String) throws(PictureError.Reason) -> PictureFile? {
        do throws(PictureError.Reason) {
            let file = try OpenedFile("\(folder)/\(path)", O_NOFOLLOW)
            return try PictureFile(file, limits: PictureLimits(fileBytes: .max))
        } catch {
            if case .cannotOpen(let errno) = error, errno != ELOOP { return nil }
            throw error
        }
    }

    /// Records that a file was used, once a day, unless the cache has no bound.
    ///
    /// The system itself may not: many disks are mounted without recording access times.
    func recordUse(of file: PictureFile) {
        let now = now
        guard bound != .none, let number = file.opened?.number, let state = file.state,
            state.lastUse <= now - Self.day
        else { return }
        let times = [now, state.lastChange].map { time in
            let (seconds, attoseconds) = time.components
            return timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        }
        _ = unsafe futimens(number, times)
    }

    /// Records a failure to write, and pauses: a full disk stays full for a while.
    func recordFailure(_ error: DiskCacheError) {
        let end = now + Self.pause
        state.withLock {
            $0.pausedUntil = end
            $0.error = error
            $0.failures += 1
        }
    }

    /// Records that a file was written whose writer began when there were this many failures.
    ///
    /// The error is cleared if there was no failure since: several may write at the same time.
    func recordStored(bytes: Int, since failures: Int) {
        state.withLock {
            if failures == $0.failures { $0.error = nil }
            $0.stored = $0.stored + DiskCacheSize(ofFile: bytes)
        }
    }
}
