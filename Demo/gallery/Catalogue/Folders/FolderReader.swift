import GalleryFiles
import Glibc
import IdleLoop

/// The reading of folders: their listing on workers, two at once, and the system's events about them.
final class FolderReader {
    /// The events that a catalogue handles.
    enum Event {
        /// The findings about a folder; no pictures if it was removed.
        case found([ListedPicture], FilePath)
        case issue(CatalogueIssue)
        /// A folder was listed: an issue with folders may be over.
        case listed
        /// Other work can be started.
        case ready
    }

    /// The callback for events.
    var onEvent: ((Event) -> Void)?

    private static let listingsAtOnce = 2
    /// The minimum time per entry between two listings of a folder.
    ///
    /// Listing takes some microseconds per entry, so a folder that changes all the time takes a
    /// tenth of a worker's time.
    private static let restPerEntry = Duration.microseconds(50)
    /// The time without events after which a folder is read again.
    private static let quiet = Duration.milliseconds(200)
    /// The maximum delay for a folder whose events don't stop.
    private static let patience = Duration.seconds(2)
    /// The interval at which folders without a watch are scanned.
    private static let rescanInterval = Duration.seconds(60)

    private let folder: PictureFolder
    private let jobs: CatalogueJobs
    private let limits: CatalogueLimits
    /// The system's permission for one more watch; replaced in tests.
    private let mayWatch: @Sendable () throws(FileError) -> Void
    private var table = FolderTable()
    private var lastListing = 0
    private var listingCount = 0
    private var watches: FolderWatches?
    private var watching: FolderListing.Watching?
    private var eventWatch: Watch?
    /// Watches with events that don't belong to a known folder yet.
    private var unknownWatches: Set<FolderWatch> = []
    private var rescanTimer: LoopTimer?
    private var counts = CatalogueStatistics()
    private var isStarted = false
    /// Whether folders were left out, as they are too many or too deep.
    private var hasTooManyFolders = false

    init(
        of folder: PictureFolder, by jobs: CatalogueJobs,
        limits: CatalogueLimits, mayWatch: @escaping @Sendable () throws(FileError) -> Void
    ) {
        self.folder = folder
        self.jobs = jobs
        self.limits = limits
        self.mayWatch = mayWatch
    }

    func start() {
        isStarted = true
        startWatching()
        table.want(.root)
        onEvent?(.ready)
    }

    /// Ends all work in progress, before its queue is closed.
    func close() {
        onEvent = nil
        eventWatch?.cancel()
        rescanTimer?.cancel()
        for folder in table.folders.values { folder.timer?.cancel() }
    }

    /// Whether no folder waits to be listed or is being listed.
    var isRead: Bool { table.waitingCount == 0 && listingCount == 0 }

    /// Whether everything is read, and no folder has events that haven't been handled yet.
    var isComplete: Bool { isStarted && isRead && table.restlessCount == 0 }

    /// The counts of folders and listings.
    var statistics: CatalogueStatistics {
        var counts = counts
        counts.folders = table.folders.count
        counts.watchedFolders = table.owners.count
        counts.waitingFolders = table.waitingCount + listingCount
        return counts
    }

    /// The files and folders that are not in the list.
    var omissions: CatalogueOmissions {
        CatalogueOmissions(
            unsupportedFiles: table.unsupportedCount,
            unreadableFolders: table.refusedCount + table.failedCount,
            isCut: table.cutCount > 0 || hasTooManyFolders)
    }

    /// Returns whether an issue with folders is over.
    func isOver(_ issue: CatalogueIssue) -> Bool {
        switch issue {
        case .cannotList: table.failedCount == 0
        case .mayNotList: table.refusedCount == 0
        default: false
        }
    }

    /// Lists the folder of a file again soon.
    func recheck(_ path: FilePath) {
        if let folder = path.parent { touch(folder) }
    }

    /// Records of which folders some pictures exceeded the limit, among those that have changed.
    func setCut(_ cut: Set<FilePath>, among changes: Dictionary<FilePath, [ListedPicture]>.Keys) {
        for path in changes {
            let wasCut = cut.contains(path)
            if table[path]?.wasCut == !wasCut { table.change(path) { $0.wasCut = wasCut } }
        }
    }

    /// Lists the folders again of which some pictures exceeded the limit, now that there is room.
    func listCut() {
        for (path, folder) in table.folders where folder.wasCut { table.want(path) }
    }

    // MARK: - Listing

    /// Scans all folders again, for when the system has lost events.
    func rescan() {
        guard !jobs.isClosed, isStarted else { return }
        counts.rescans += 1
        for path in table.folders.keys { table.want(path) }
        onEvent?(.ready)
    }

    /// Starts to list the folders that wait for it.
    func listNext() {
        while listingCount < Self.listingsAtOnce, let path = table.next() { list(path) }
    }

    private func list(_ path: FilePath) {
        lastListing += 1
        listingCount += 1
        let number = lastListing
        table.change(path) { folder in
            folder.job = number
            folder.isListedAgain = false
        }
        jobs.start(
            priority: .normal,
            work: { [folder, limits, watching] in
                FolderListing(of: path, in: folder, limits: limits, watching: watching)
            },
            take: { [weak self] in self?.take($0, of: path, from: number) },
            onEnd: { [weak self] in self?.listingEnded(path, number, isDone: $0) })
    }

    private func listingEnded(_ path: FilePath, _ number: Int, isDone: Bool) {
        listingCount -= 1
        guard !jobs.isClosed else { return }
        if table[path]?.job == number {
            table.change(path) { $0.job = nil }
            // Without threads it fails at once, and would fail again.
            if !isDone { list(path, after: .seconds(1)) }
            if table[path]?.isListedAgain == true { table.want(path) }
        }
        if listingCount == 0 { unknownWatches = [] }
        onEvent?(.ready)
    }

    private func take(_ listing: FolderListing, of path: FilePath, from number: Int) {
        counts.listings += 1
        counts.entriesRead += listing.entriesRead
        guard table[path]?.job == number else {
            // The folder was removed meanwhile, or replaced by another.
            if let watch = listing.watch, table.owners[watch] == nil { watches?.end(watch) }
            return
        }
        takeWatch(listing, of: path)
        defer { onEvent?(.listed) }
        switch listing.outcome {
        case .listed(let pictures, let folders, let unsupported):
            onEvent?(.found(pictures, path))
            let rest = Self.restPerEntry * listing.entriesRead
            table.change(path) { folder in
                folder.access = .granted
                folder.unsupported = unsupported
                folder.restsUntil = jobs.loop.clock.now.advanced(by: rest)
            }
            takeChildren(folders, of: path)
        case .refused(let error):
            onEvent?(.found([], path))
            table.change(path) { folder in
                folder.access = .refused
                folder.unsupported = []
            }
            takeChildren([:], of: path)
            onEvent?(.issue(.mayNotList(path, error)))
        case .gone where path == .root:
            onEvent?(.found([], path))
            table.change(path) { folder in
                folder.access = .granted
                folder.unsupported = []
            }
            takeChildren([:], of: path)
        case .gone:
            // The parent forgets it, so that it counts as new when it comes back.
            if let parent = path.parent {
                table.change(parent) { $0.children[Array(path.lastPart)] = nil }
            }
            remove(path)
        case .failed(let error):
            table.change(path) { $0.access = .failed }
            onEvent?(.issue(.cannotList(path, error)))
            list(path, after: .seconds(5))
        }
    }

    /// Updates the subfolders, by their inode numbers.
    private func takeChildren(_ found: [[UInt8]: UInt64], of path: FilePath) {
        guard var children = table[path]?.children else { return }
        // Removed folders make room for new ones, so they go first.
        for name in children.keys where found[name] == nil {
            children[name] = nil
            if let child = path.appending(name) { remove(child) }
        }
        for (name, inode) in found {
            guard let child = path.appending(name) else { continue }
            if let before = children[name], let folder = table[child] {
                if before != inode || folder.access == .refused { table.want(child) }
            } else if child.depth > limits.depth {
                hasTooManyFolders = true
                onEvent?(.issue(.tooDeep(limit: limits.depth)))
                continue
            } else if table.folders.count >= limits.folders {
                hasTooManyFolders = true
                onEvent?(.issue(.tooManyFolders(limit: limits.folders)))
                continue
            } else {
                table.add(child)
            }
            children[name] = inode
        }
        table.change(path) { $0.children = children }
    }

    /// Removes a folder and everything in it.
    private func remove(_ path: FilePath) {
        for gone in table.remove(path) {
            onEvent?(.found([], gone.path))
            gone.folder.timer?.cancel()
            if let watch = gone.folder.watch, table.owners[watch] == gone.path {
                _ = table.forget(watch)
                watches?.end(watch)
            }
        }
    }

    /// Lists a folder after a delay, unless that is scheduled already.
    private func list(_ path: FilePath, after delay: Duration) {
        guard !jobs.isClosed, let folder = table[path], folder.timer == nil else { return }
        let timer = jobs.loop.schedule(after: delay) { [weak self] in self?.checkDue(path) }
        table.change(path) { $0.timer = timer }
    }

    private func checkDue(_ path: FilePath) {
        table.change(path) { $0.timer = nil }
        let now = jobs.loop.clock.now
        if let folder = table[path], let events = folder.events {
            var due = Self.due(first: events.first, last: events.last)
            if let rest = folder.restsUntil { due = max(due, rest) }
            guard due <= now else { return list(path, after: now.duration(to: due)) }
            table.change(path) { $0.events = nil }
        }
        table.want(path)
        onEvent?(.ready)
    }

    // MARK: - Watching

    private static func due(first: Instant, last: Instant) -> Instant {
        min(last.advanced(by: quiet), first.advanced(by: patience))
    }

    private func startWatching() {
        do throws(FileError) {
            let watches = try FolderWatches()
            eventWatch = try watch(watches)
            self.watches = watches
            watching = { [mayWatch] folder throws(FileError) in
                try mayWatch()
                return try watches.watch(folder)
            }
        } catch {
            onEvent?(.issue(.cannotWatch(error)))
            rescanLater()
        }
    }

    private func watch(_ watches: FolderWatches) throws(FileError) -> Watch {
        do throws(LoopError) {
            return try jobs.loop.watch(watches.descriptor, for: .readable) { [weak self] _ in
                self?.takeEvents()
            }
        } catch {
            guard case .system(let call, let errno) = error else {
                throw .system(call: "event_add", errno: EBADF)
            }
            throw .system(call: call, errno: errno)
        }
    }

    private func takeEvents() {
        for event in watches?.events() ?? [] {
            switch event {
            case .changed(let watch, let name):
                // Hidden files are not pictures, and hidden folders are not read.
                guard name.first != UInt8(ascii: ".") else { continue }
                if let path = table.owners[watch] { touch(path) } else { noteUnknown(watch) }
            case .moved(let watch):
                if let path = table.owners[watch] { touch(path) } else { noteUnknown(watch) }
            case .ended(let watch):
                if let path = table.forget(watch) { touch(path) } else { noteUnknown(watch) }
            case .lost:
                counts.overflows += 1
                rescan()
            }
        }
    }

    /// Remembers an unknown watch, as it may belong to a folder that is being listed.
    private func noteUnknown(_ watch: FolderWatch) {
        if listingCount > 0 { unknownWatches.insert(watch) }
    }

    /// Schedules a listing of a folder, for when its events have stopped.
    private func touch(_ path: FilePath) {
        let now = jobs.loop.clock.now
        table.change(path) { $0.events = (first: $0.events?.first ?? now, last: now) }
        list(path, after: Self.quiet)
    }

    private func takeWatch(_ listing: FolderListing, of path: FilePath) {
        // A folder that couldn't be opened has no new watch; its old one may still be valid.
        if let watch = listing.watch {
            if let before = table.setWatch(watch, of: path) { watches?.end(before) }
            if unknownWatches.remove(watch) != nil { touch(path) }
        } else if let error = listing.watchError {
            onEvent?(.issue(.cannotWatch(error)))
            rescanLater()
        }
    }

    /// Schedules a scan of all folders in a minute, as not all changes are reported.
    private func rescanLater() {
        guard !jobs.isClosed, rescanTimer == nil else { return }
        rescanTimer = jobs.loop.schedule(after: Self.rescanInterval) { [weak self] in
            guard let self else { return }
            rescanTimer = nil
            if watches == nil { startWatching() }
            rescan()  // which schedules another if necessary
        }
    }
}
