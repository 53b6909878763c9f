internal import DeferredLoading
public import GalleryCatalogue
public import GalleryFiles
public import GalleryPictures
public import GalleryWeb
public import IdleLoop
public import ImageLoading
internal import ReplayText

/// A gallery on a given loop: its pictures, the open pages, and the loading of thumbnails that are
/// about to be visible.
///
/// ```swift
/// let loop = try MainLoop(adopting: base)
/// let gallery = try Gallery(of: PictureFolder("/srv/pictures"), on: loop)
/// let server = try WebServer(on: base) { gallery.answer($0) }
/// ```
///
/// A request is answered at once from known data, or kept until its picture is available. Pages'
/// reports are handled in lulls, and pictures are made in lulls: neither delays a request for
/// longer than a slice. Files are read by workers only.
public final class Gallery {
    /// The limits of memory and concurrent work.
    public let limits: GalleryLimits
    /// The list of all pictures.
    public let catalogue: Catalogue
    /// The name of the gallery, and of the folder itself in the list.
    public let title: String
    /// The source of thumbnails.
    public let source: ThumbnailSource
    /// A random text that differs in each run of the program.
    public let epoch: String

    let clients: ClientRegistry
    let loader: DeferredLoader<ThumbnailKey, Thumbnail>
    /// The queue of loads.
    let pictures: IdleQueue<ThumbnailKey>
    /// The queue of pages whose reports are to be handled.
    let reportQueue: IdleQueue<String>
    /// The list as scripts fetch it.
    let listPages: ListPages
    let thumbnails: Thumbnails
    let requests: PictureRequests
    let originals: Originals
    let router: RequestRouter
    private let notifier: ChangeNotifier
    /// The maker of thumbnails ahead; nil if there is none.
    private var ahead: ThumbnailsAhead?
    let loop: MainLoop
    /// The number of rows that have changed since freed memory was returned to the system.
    private var changedRows = 0
    private var memoryTimer: LoopTimer?
    /// The counts of the web server in front of it, for the metrics.
    public var webStatistics: (() -> WebStatistics)?

    /// Creates a gallery of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder of the pictures.
    ///   - title: The gallery's name.
    ///   - cache: The disk cache of thumbnails; nil for none.
    ///   - loop: The loop to which everything is confined.
    ///   - limits: The limits of memory and concurrent work.
    ///   - making: The method of making thumbnails.
    ///   - makesAhead: Whether thumbnails for the disk cache are made while nobody scrolls, too.
    ///   - decoding: The process that decodes files.
    /// - Throws: The system's error if the process is out of descriptors.
    public init(
        of folder: PictureFolder, title: String = "Gallery", cache: ThumbnailDiskCache? = nil,
        on loop: MainLoop,
        limits: GalleryLimits = GalleryLimits(), making: ThumbnailStrategy = .lulls,
        makesAhead: Bool = true, decoding: PictureDecoding = .inProcess
    ) throws(LoopError) {
        self.limits = limits
        self.title = title
        self.loop = loop
        epoch = HexNumber.random()
        let pool = try WorkerPool(width: making == .threads ? 2 : 3, on: loop)
        // Slow folder listings must not delay pictures, so they have their own workers.
        let listing = try WorkerPool(width: 2, on: loop)
        let catalogue = Catalogue(of: folder, on: loop, pool: listing)
        self.catalogue = catalogue
        listPages = ListPages(of: catalogue, title: title, epoch: epoch)
        clients = ClientRegistry(limits, on: loop)
        notifier = ChangeNotifier(in: listPages, to: clients, on: loop)
        var decoding = decoding
        if making == .threads, case .inProcess = decoding { decoding = .workers }
        source = ThumbnailSource(
            ThumbnailRecipe(cache: cache), on: loop, pool: pool, decoding: decoding,
            decoders: .gallery, limits: PictureLimits(fileBytes: 32 << 20)
        ) { key in
            catalogue.entry(of: key.picture.id).flatMap {
                $0.key == key.picture ? folder.origin(of: $0.key, at: $0.path) : nil
            }
        }
        source.byteCount = { catalogue.entry(of: $0.picture.id)?.byteCount }
        var loads = QueueConfiguration()
        loads.name = "pictures"
        loads.limit = 256
        // With so many clients that the loop is never idle, loads must still make progress.
        loads.maxDeferral = .milliseconds(20)
        pictures = IdleQueue(on: loop, configuration: loads)
        var looking = QueueConfiguration()
        looking.name = "reports"
        // There is one job for each page, so their number is its limit, which may change.
        looking.limit = GalleryLimits.mostClients
        looking.weight = 8
        looking.maxDeferral = .milliseconds(20)
        reportQueue = IdleQueue(on: loop, configuration: looking, order: 999_999)
        var loading = LoaderConfiguration()
        loading.capacity = 16_384
        loading.byteLimit = limits.pictureBytes(forPages: 0)
        loading.fetchTimeout = .seconds(30)
        loader = DeferredLoader(
            queue: pictures, source: source, configuration: loading)
        thumbnails = Thumbnails(of: catalogue, from: source, by: loader, making: making)
        let mostLong = max(1, min(pool.width, limits.processors) - 1)
        requests = PictureRequests(
            with: thumbnails, loadedIn: pictures, limits: limits, mostLong: mostLong, on: loop)
        if let cache, makesAhead, making == .lulls {
            // A worker is left for whoever comes.
            ahead = ThumbnailsAhead(
                of: thumbnails, in: cache, queue: reportQueue, most: mostLong)
        }
        originals = try Originals(of: catalogue, in: folder, limits: limits, on: loop)
        router = RequestRouter(
            limits: limits, listPages: listPages, pictures: requests, originals: originals,
            clients: clients, on: loop)
        router.metrics = { [weak self] in
            self.map { MetricsPage(of: $0, $0.webStatistics?()).text } ?? ""
        }
        clients.makeClient = { [epoch, thumbnails, reportQueue] number, address, order in
            Client(
                number, at: address, by: order, epoch: epoch, showing: thumbnails,
                limits: limits, reportQueue: reportQueue, on: loop)
        }
        clients.onCountChange = { [loader] count in
            catalogue.releaseArrangements()
            loader.limitBytes(to: limits.pictureBytes(forPages: count))
        }
        catalogue.arrangementsInUse = { [clients] in clients.arrangements }
        catalogue.onArranged = { [clients] in for client in clients.all { client.noteArranged() } }
        // A callback may release the gallery: the caller keeps it until all have returned.
        catalogue.onChange = { [weak self] change in
            guard let self else { return }
            ahead?.noteChange()
            notifier.notify(change)
            noteMemory(of: change)
        }
        clients.onReport = { [weak ahead] in ahead?.pause(at: $0) }
        requests.onWait = { [weak ahead] in ahead?.pause(at: $0) }
        source.onLoaded = { [weak thumbnails, weak ahead] key, thumbnail in
            thumbnails?.noteMade(key, thumbnail, isAhead: ahead?.wants(key) ?? false)
        }
        source.onOutdated = { key in catalogue.recheckFile(of: key.picture.id) }
    }

    deinit {
        close()
    }

    /// Returns memory to the system after large changes, in a lull: the lists before were as large.
    private func noteMemory(of change: CatalogueChange) {
        let rows = change[.name]
        changedRows += rows.inserted.reduce(rows.measured.count) { $0 + $1.count }
        guard changedRows >= Self.manyRows else { return }
        memoryTimer?.cancel()
        memoryTimer = loop.schedule(after: .seconds(2)) { [weak self] in
            guard let self else { return }
            changedRows = 0
            source.giveMemoryBack()
        }
    }

    /// The number of changed rows after which memory is returned to the system.
    private static let manyRows = 10_000

    /// Releases all pictures that nobody wants, for when memory is short.
    public func trim() { loader.trim(to: 0) }

    /// Cancels all work and ends all streams; no callback is called afterwards.
    public func close() {
        memoryTimer?.cancel()
        ahead = nil
        notifier.close()
        clients.close()
        requests.close()
        originals.close()
        catalogue.close()
        loader.close()
        source.close()
        reportQueue.close()
        pictures.close()
    }

    /// The callback for each step of making a picture, which can spend virtual time.
    package var onPictureStep: (() -> Void)? {
        didSet { source.onStep = onPictureStep.map { body in { _ in body() } } }
    }

    /// The number of open pages.
    package var clientCount: Int { clients.count }

    /// Tells all pages that the program is ending.
    public func announceEnd() {
        ahead = nil
        router.beginEnd()
        for client in clients.all { client.send("bye", .members([])) }
    }

    /// Refuses all requests that wait for a picture.
    public func refuseWaiting() { requests.close() }

    /// Answers a request, now or when the answer is available.
    ///
    /// - Parameters:
    ///   - exchange: The request.
    ///   - showsMetrics: Whether the sender may also read metrics.
    public func answer(_ exchange: WebExchange, showsMetrics: Bool = false) {
        router.answer(exchange, showsMetrics: showsMetrics)
    }
}

/// The method of making thumbnails.
public enum ThumbnailStrategy: String, CaseIterable, Sendable {
    /// Making wanted pictures in the lulls of the loop, the most urgent first.
    case lulls
    /// Making pictures in the request's handler, while all others wait; for comparison.
    case handler
    /// Making pictures on two threads, in the order of requests; for comparison.
    case threads
}
