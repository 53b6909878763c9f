import Glibc

/// Thumbnails on disk, shared with other programs as freedesktop's Thumbnail Managing Standard says.
///
/// A file's thumbnail is a PNG named after the file's address, `large/c6ee772d….png`, with the time
/// at which the file was last written in it. Files that give no picture are noted in `fail/lull-1`.
///
/// ```swift
/// let cache = ThumbnailDirectory.ofUser().map { ThumbnailCache(in: $0) }
/// // in a service:
/// ThumbnailDirectory.ofService().map { ThumbnailCache(in: $0, bound: .service) }
/// ```
///
/// Not stored: what can't be read or was written less than three seconds ago, thumbnails themselves,
/// and pictures that were shrunk to other sizes than 128, 256, 512 and 1024. An entry appears
/// when it is whole. After one couldn't be written, nothing is for a minute.
///
/// A process that limits the length of its files must ignore `SIGXFSZ`, which would end it here.
public final class ThumbnailCache {
    /// The folder of failures: the name of the program, and the version of what it can read.
    static let failures = "fail/lull-1"
    private static let pause = Duration.seconds(60)

    let root: String
    let bound: ThumbnailBound
    let now: () -> Duration
    private var upkeep: ThumbnailUpkeep
    private var currentSweep: ThumbnailSweep?
    private var pausedUntil = Duration.zero

    /// A cache in a folder, which is not touched before there is something to store.
    ///
    /// - Parameters:
    ///   - directory: The folder.
    ///   - bound: What it may keep. What is beyond goes when a thumbnail was written, oldest first.
    ///   - now: The time since 1970, as files are dated.
    public init(
        in directory: ThumbnailDirectory, bound: ThumbnailBound = .none,
        now: @escaping () -> Duration = ThumbnailCache.systemTime
    ) {
        root = directory.path
        self.bound = bound
        self.now = now
        upkeep = ThumbnailUpkeep(bound: bound)
    }

    /// The time since 1970 by the system's clock.
    public static func systemTime() -> Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The work of removing what is beyond the bound, and what was left behind half-written.
    ///
    /// A writer does it when it is due; call this where nothing is written, to remove what is old.
    public func sweep() -> ThumbnailSweep {
        let folders = ThumbnailSize.allCases.map(\.folder) + [Self.failures]
        return ThumbnailSweep(of: folders.map { "\(root)/\($0)" }, bound: bound, now: now())
    }

    /// Whether nothing is to be stored now.
    var isPaused: Bool {
        // A clock that was set back must not make it longer.
        (pausedUntil - Self.pause..<pausedUntil).contains(now())
    }

    /// Stops storing for a while: a full disk stays full.
    func noteTrouble() { pausedUntil = now() + Self.pause }

    /// Counts what was written.
    func noteStored(bytes: Int) { upkeep.add(bytes) }

    /// Does the next small part of the upkeep, if some is due, and says whether that was all.
    ///
    /// What one writer leaves undone, the next one goes on with.
    func stepUpkeep() -> Bool {
        if currentSweep == nil, upkeep.begin(now: now()) { currentSweep = sweep() }
        guard let sweep = currentSweep else { return true }
        if sweep.step() { currentSweep = nil }
        return currentSweep == nil
    }
}
