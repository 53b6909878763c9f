public import GalleryFiles
public import IdleLoop
import ScrollModel

/// All pictures beneath a folder, as a list that follows what happens to the files.
///
/// Folders are read on workers, the system tells which of them change (inotify), and what was found
/// becomes the next version of the list, on a worker too: the loop exchanges one for the other, and
/// never waits for a disk. Names come first, and with them rows of an estimated height; then the
/// pictures' headers are read, those in view before all others.
///
/// ```swift
/// let catalogue = Catalogue(of: try PictureFolder("/srv/pictures"), on: loop, pool: pool)
/// catalogue.onChange = { change in … }
/// catalogue.prefer(positions: viewport.visibleRows)
/// ```
///
/// At most two folders and two batches of headers are read at once.
public final class Catalogue {
    /// The keys of jobs, whose work is done off the loop.
    enum Work: Hashable {
        case listing(Int)
        case headers(Int)
        case arranging
    }

    /// Called after each change, when the new list is there.
    public var onChange: ((CatalogueChange) -> Void)?
    /// Called with what is wrong, once of each kind as long as it lasts.
    public var onTrouble: ((CatalogueTrouble) -> Void)?
    /// Called when all folders can be read again, with the trouble that was told.
    public var onTroubleEnd: ((CatalogueTrouble) -> Void)?

    let folder: PictureFolder
    let loop: MainLoop
    let pool: WorkerPool
    let limits: CatalogueLimits
    let queue: IdleQueue<Work>
    var list: PictureList {
        didSet { knownRows = [:] }
    }
    /// The rows of pictures that were asked for since the last change; no more than there are rows.
    var knownRows: [PictureID: RowIndex] = [:]
    var counts = CatalogueStatistics()
    private var troubles: [CatalogueTrouble] = []

    // Folders.
    var table = FolderTable()
    var jobNumber = 0
    var listingCount = 0
    var watches: FolderWatches?
    var watching: FolderListing.Watching?
    /// The system's answer to one more watch, for tests.
    let mayWatch: @Sendable () throws(FileError) -> Void
    var eventWatch: Watch?
    /// Watches that told something while nobody knew whose they are.
    var strangers: Set<FolderWatch> = []
    var rescanTimer: LoopTimer?
    var startTimer: LoopTimer?

    // Headers.
    var wishes = HeaderWishes()
    var readingCount = 0
    var retryTimer: LoopTimer?
    var isStarved = false

    // The next list.
    var news = CatalogueNews()
    var isArranging = false
    var lastArranged: Instant?
    var lastMeasured: Instant?
    /// Until when nothing is arranged, as it couldn't be.
    var arrangingRest: Instant?
    var arrangeTimer: LoopTimer?

    /// The pictures beneath a folder; it's read from the loop's next turn on.
    public convenience init(
        of folder: PictureFolder, on loop: MainLoop, pool: WorkerPool,
        geometry: RowGeometry = .init(),
        limits: CatalogueLimits = .init()
    ) {
        self.init(
            of: folder, on: loop, pool: pool, geometry: geometry, limits: limits,
            numbering: { PictureID(of: $0) }, mayWatch: { () throws(FileError) in })
    }

    init(
        of folder: PictureFolder, on loop: MainLoop, pool: WorkerPool, geometry: RowGeometry,
        limits: CatalogueLimits, numbering number: @escaping @Sendable (FilePath) -> PictureID,
        mayWatch: @escaping @Sendable () throws(FileError) -> Void
    ) {
        self.folder = folder
        self.loop = loop
        self.pool = pool
        self.limits = limits
        self.mayWatch = mayWatch
        list = PictureList(geometry: geometry, limit: limits.rows, numbering: number)
        var configuration = QueueConfiguration()
        configuration.name = "catalogue"
        // A busy loop learns of pictures all the same.
        configuration.maxDeferral = .milliseconds(500)
        queue = IdleQueue(on: loop, configuration: configuration)
        startTimer = loop.schedule(after: .zero) { [weak self] in self?.start() }
    }

    deinit {
        close()
    }

    private func start() {
        startTimer = nil
        startWatching()
        table.want(.root)
        work()
    }

    /// Does whatever can be begun.
    func work() {
        guard mayBegin else { return }
        listFolders()
        readHeaders()
        arrangeSoon()
    }

    /// Whether anything may be begun: neither it nor its loop is on the way out.
    var mayBegin: Bool { queue.isAccepting }

    /// Whether it was closed.
    public private(set) var isClosed = false

    /// Ends all that is under way; the list stays as it is.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        onChange = nil
        onTrouble = nil
        onTroubleEnd = nil
        queue.close()
        eventWatch?.cancel()
        let own = [startTimer, rescanTimer, retryTimer, arrangeTimer]
        let timers = own.compactMap(\.self) + table.folders.values.compactMap(\.timer)
        for timer in timers { timer.cancel() }
    }

    /// Tells of trouble, the first time that there is any of its kind.
    func tell(_ trouble: CatalogueTrouble) {
        guard !troubles.contains(where: { $0.kind == trouble.kind }) else { return }
        troubles.append(trouble)
        onTrouble?(trouble)
    }

    /// Tells of trouble with folders that is over, as there's no such folder left.
    func endTroubles() {
        let ended = troubles.filter(isOver)
        troubles.removeAll(where: isOver)
        for trouble in ended { onTroubleEnd?(trouble) }
    }

    private func isOver(_ trouble: CatalogueTrouble) -> Bool {
        switch trouble {
        case .cannotList: table.failedCount == 0
        case .mayNotList: table.refusedCount == 0
        default: false
        }
    }
}
