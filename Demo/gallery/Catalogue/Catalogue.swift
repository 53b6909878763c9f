public import GalleryFiles
public import IdleLoop
import ScrollModel

/// All pictures in a folder and its subfolders, as a list that follows changes of the files.
///
/// Folders are read on workers, and the system reports which of them change (inotify). The next
/// version of the list is made on a worker too: the loop only exchanges one for the other, and
/// never waits for a disk. Names are read first, giving rows of an estimated height; then the
/// pictures' headers are read, those in view first.
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

    /// The callback after each change, when the new list is in place.
    public var onChange: ((CatalogueChange) -> Void)?
    /// The callback for problems, called once for each kind until it ends.
    public var onTrouble: ((CatalogueTrouble) -> Void)?
    /// The callback for the end of a reported problem, when all folders can be read again.
    public var onTroubleEnd: ((CatalogueTrouble) -> Void)?

    let folder: PictureFolder
    let loop: MainLoop
    let pool: WorkerPool
    let limits: CatalogueLimits
    let queue: IdleQueue<Work>
    var list: PictureList {
        didSet { knownRows = [:] }
    }
    /// The rows of pictures that were requested since the last change; at most as many as there are
    /// rows.
    var knownRows: [PictureID: RowIndex] = [:]
    var counts = CatalogueStatistics()
    private var troubles: [CatalogueTrouble] = []

    // State of folders.
    var table = FolderTable()
    var jobNumber = 0
    var listingCount = 0
    var watches: FolderWatches?
    var watching: FolderListing.Watching?
    /// The system's permission for one more watch; replaced in tests.
    let mayWatch: @Sendable () throws(FileError) -> Void
    var eventWatch: Watch?
    /// Watches with events that don't belong to a known folder yet.
    var strangers: Set<FolderWatch> = []
    var rescanTimer: LoopTimer?
    var startTimer: LoopTimer?

    // State of headers.
    var wishes = HeaderWishes()
    var readingCount = 0
    var retryTimer: LoopTimer?
    var isStarved = false

    // State of the next list.
    var news = CatalogueNews()
    var isArranging = false
    var lastArranged: Instant?
    var lastMeasured: Instant?
    /// The time before which no list is made, after a failure.
    var arrangingRest: Instant?
    var arrangeTimer: LoopTimer?

    /// Creates the catalogue of a folder, which is read from the loop's next turn on.
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
        // The list must be updated on a busy loop, too.
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

    /// Starts all work that can be started.
    func work() {
        guard mayBegin else { return }
        listFolders()
        readHeaders()
        arrangeSoon()
    }

    /// Whether work may be started: neither the catalogue nor its loop is being closed.
    var mayBegin: Bool { queue.isAccepting }

    /// Whether the catalogue was closed.
    public private(set) var isClosed = false

    /// Ends all work in progress; the list stays as it is.
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

    /// Reports a problem, the first time that its kind occurs.
    func tell(_ trouble: CatalogueTrouble) {
        guard !troubles.contains(where: { $0.kind == trouble.kind }) else { return }
        troubles.append(trouble)
        onTrouble?(trouble)
    }

    /// Reports the end of a problem with folders, if none has it any more.
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
