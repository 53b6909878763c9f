internal import IdleLoop

/// The names that a disk cache gives to its entries.
public protocol DiskCacheLayout: Sendable {
    /// The type of the keys.
    associatedtype Key: Hashable & Sendable

    /// The folders of entries, relative to the cache's own; an empty path for that itself.
    var folders: [String] { get }

    /// Returns the path of an entry, relative to the cache's own folder and in one of ``folders``.
    func path(of key: Key) -> String

    /// Returns whether a name in one of the folders is that of an entry: a sweep leaves other files
    /// alone.
    func isEntry(_ name: String) -> Bool
}

/// Files on disk under keys, which outlive the process, within a bound.
///
/// ```swift
/// let cache = DiskCache(in: "/var/cache/mine/pages", layout: CheckedLayout(), bound: .service)
/// cache.store(page, for: "https://example.org/")
/// let found = cache.find("https://example.org/")?.payload
/// cache.sweepIfDue()
/// ```
///
/// An entry is there whole or not at all, also after a process was killed, and while others write to
/// the same folder. The longest unused entries go first; use is noted once a day. After something
/// couldn't be written nothing is for a minute, as a full disk stays full: see ``trouble``.
///
/// All calls wait for the disk for a short time, and may come from any thread.
public final class DiskCache<Layout: DiskCacheLayout>: Sendable {
    /// The folder, which is made when there is something to keep.
    public let folder: String
    /// The names of the entries.
    public let layout: Layout

    let state: DiskCacheState
    /// The sweep that is under way.
    private let sweeping = Guarded<DiskCacheSweep?>(nil)

    /// A disk cache in a folder.
    ///
    /// - Parameters:
    ///   - folder: An absolute path.
    ///   - layout: The names of the entries.
    ///   - bound: The limits.
    ///   - now: The time since 1970, as files are dated; nil for the system's.
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

    /// The last failure to write; nil if what was tried last succeeded.
    public var trouble: DiskCacheTrouble? {
        state.error.map { DiskCacheTrouble(folder: folder, error: $0) }
    }

    /// The number of failures to write.
    public var failures: Int { state.failures }

    /// Returns the bytes of an entry; nil if there is none, or it is longer than a limit.
    public func bytes(of key: Layout.Key, upTo limit: Int) -> [UInt8]? {
        guard let entry = try? open(key), entry.byteCount <= limit else { return nil }
        noteUse(of: entry)
        return entry.bytes(entry.byteCount, at: 0)
    }

    /// Begins to write an entry.
    ///
    /// - Returns: The entry, which isn't there before it is committed.
    /// - Throws: The system's refusal, which pauses the cache for a minute, or `paused`.
    public func writer(for key: Layout.Key) throws(DiskCacheError) -> DiskCacheWriter {
        try writer(at: layout.path(of: key))
    }

    /// Removes an entry, if it is there.
    public func remove(_ key: Layout.Key) {
        let (path, name) = DiskCacheFolder.split(layout.path(of: key))
        if let folder = try? DiskCacheFolder(path, beneath: folder) { folder.remove(name) }
    }

    /// Makes the folder, and notes trouble if nothing can be written to it.
    public func check() {
        _ = try? writer(at: "")
    }

    /// Returns the work of removing what is beyond the bound or was left behind half-written.
    public func sweep() -> DiskCacheSweep {
        DiskCacheSweep(of: folder, layout: layout, bound: state.bound, now: state.now)
    }

    /// Does the next small part of a sweep, if one is under way or due.
    ///
    /// One is due at first, when a sixteenth of the bound was stored, and once a day. Whoever stores
    /// calls this afterwards; what one leaves undone, the next goes on with.
    ///
    /// - Returns: Whether there is nothing left to do, or another thread does it.
    public func stepSweep() -> Bool {
        sweeping.withLockIfAvailable { sweep in
            if sweep == nil, state.beginSweep() { sweep = self.sweep() }
            if sweep?.step() ?? true { sweep = nil }
            return sweep == nil
        } ?? true
    }

    /// The whole seconds since 1970.
    package var seconds: Int { Int(state.now.components.seconds) }

    /// Notes that an entry was used, if that makes a difference.
    func noteUse(of entry: DiskCacheEntry) {
        if state.bound != .none { entry.noteUse(now: state.now) }
    }

    private func writer(at path: String) throws(DiskCacheError) -> DiskCacheWriter {
        guard !state.isPaused else { throw .paused }
        let (path, name) = DiskCacheFolder.split(path)
        do throws(DiskCacheError) {
            let folder = try DiskCacheFolder(path, beneath: folder, isMade: true)
            return try DiskCacheWriter(name, in: folder, state)
        } catch {
            state.noteTrouble(error)
            throw error
        }
    }

    /// Does the whole of a sweep that is due, see ``stepSweep()``.
    public func sweepIfDue() {
        while !stepSweep() {}
    }

    /// Opens an entry; nil if there is none.
    func open(_ key: Layout.Key) throws(PictureError.Reason) -> DiskCacheEntry? {
        try DiskCacheEntry(filePath(of: key))
    }

    /// Returns the absolute path of an entry, be it there or not.
    func filePath(of key: Layout.Key) -> String { "\(folder)/\(layout.path(of: key))" }
}
