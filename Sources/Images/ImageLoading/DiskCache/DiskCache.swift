internal import IdleLoop
internal import LullLibC

/// The file names of a disk cache's entries.
public protocol DiskCacheLayout: Sendable {
    /// The type of the keys.
    associatedtype Key: Hashable & Sendable

    /// The directories of entries, relative to the cache's own; the empty path stands for that
    /// itself.
    var folders: [String] { get }

    /// Returns the path of an entry, relative to the cache's own directory and in one of
    /// ``folders``.
    func path(of key: Key) -> String

    /// Returns whether a name in one of the directories is that of an entry; a sweep ignores other
    /// files.
    func isEntry(_ name: String) -> Bool
}

/// A bounded cache of files on disk under keys, which outlive the process.
///
/// ```swift
/// let cache = DiskCache(in: "/var/cache/mine/pages", layout: CheckedLayout(), bound: .service)
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
/// All calls block on the disk for a short time, and may be made from any thread.
public final class DiskCache<Layout: DiskCacheLayout>: Sendable {
    /// The directory, which is created when there is something to store.
    public let folder: String
    /// The file names of the entries.
    public let layout: Layout

    let state: DiskCacheState
    /// The sweep in progress.
    private let sweeping = Guarded<DiskCacheSweep?>(nil)

    /// Creates a disk cache in a directory.
    ///
    /// - Parameters:
    ///   - folder: An absolute path.
    ///   - layout: The file names of the entries.
    ///   - bound: The limits.
    ///   - now: Returns the time since 1970, as used in file timestamps; nil for the system's
    ///     clock.
    ///
    /// Traps if the folder's path isn't absolute.
    public init(
        in folder: String, layout: Layout, bound: DiskCacheBound = .service,
        now: (@Sendable () -> Duration)? = nil
    ) {
        precondition(
            folder.hasPrefix("/") && !folder.utf8.contains(0),
            "a disk cache is under an absolute path")
        self.folder = folder
        self.layout = layout
        state = DiskCacheState(bound: bound, clock: now)
    }

    /// The last failure to write; nil if the last attempt succeeded.
    public var failure: DiskCacheFailure? {
        state.error.map { DiskCacheFailure(folder: folder, error: $0) }
    }

    /// The number of failures to write.
    public var failures: Int { state.failures }

    /// Whether it holds as much as a sweep leaves, as far as is known, so that what is stored from now
    /// on may displace other entries; false before its first sweep.
    public var isFull: Bool { state.isFull }

    /// Begins to write an entry.
    ///
    /// - Returns: The writer of the entry, which is absent until it is committed.
    /// - Throws: The system's error, which pauses the cache for a minute, or `paused`.
    public func writer(for key: Layout.Key) throws(DiskCacheError) -> DiskCacheWriter {
        try writer(at: layout.path(of: key))
    }

    /// Removes an entry, if it exists.
    public func remove(_ key: Layout.Key) {
        let (path, name) = DiskCacheFolder.split(layout.path(of: key))
        if let folder = try? DiskCacheFolder(path, beneath: folder) { folder.remove(name) }
    }

    /// Creates the directory, and records the failure if it isn't writable.
    public func check() {
        _ = try? writer(at: "")
    }

    /// Returns the work of removing what exceeds the bound, and what was left partially written.
    func sweep() -> DiskCacheSweep {
        DiskCacheSweep(of: folder, layout: layout, bound: state.bound, now: state.now)
    }

    /// Does the next small step of a sweep, if one is in progress or due.
    ///
    /// A sweep is due at first, then whenever a sixteenth of the bound was stored, and once a day.
    /// Call this after storing; a sweep that isn't finished is continued by the next call.
    ///
    /// - Returns: Whether there is nothing left to do, or another thread does it.
    public func stepSweep() -> Bool {
        sweeping.withLockIfAvailable { sweep in
            if sweep == nil, state.beginSweep() { sweep = self.sweep() }
            if let current = sweep, current.step() {
                state.endSweep(leaving: current.kept)
                sweep = nil
            }
            return sweep == nil
        } ?? true
    }

    /// The time since 1970, in whole seconds.
    package var now: Duration { .seconds(state.now.components.seconds) }

    /// Records the use of an entry, unless the cache has no bound.
    func recordUse(of entry: DiskCacheEntry) {
        if state.bound != .none { entry.recordUse(now: state.now) }
    }

    private func writer(at path: String) throws(DiskCacheError) -> DiskCacheWriter {
        guard !state.isPaused else { throw .paused }
        let (path, name) = DiskCacheFolder.split(path)
        do throws(DiskCacheError) {
            let folder = try DiskCacheFolder(path, beneath: folder, isMade: true)
            return try DiskCacheWriter(name, in: folder, state)
        } catch {
            state.recordFailure(error)
            throw error
        }
    }

    /// Completes a sweep that is due; see ``stepSweep()``.
    public func sweepIfDue() {
        while !stepSweep() {}
    }

    /// Opens an entry; nil if there is none.
    func open(_ key: Layout.Key) throws(PictureError.Reason) -> DiskCacheEntry? {
        try DiskCacheEntry(filePath(of: key))
    }

    /// Returns the absolute path of an entry, which need not exist.
    func filePath(of key: Layout.Key) -> String { "\(folder)/\(layout.path(of: key))" }
}
