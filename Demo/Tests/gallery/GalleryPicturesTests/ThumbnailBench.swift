import GalleryFiles
import IdleLoop
import ImageLoading

@testable import DeferredLoading
@testable import GalleryPictures

/// A loader of thumbnails on virtual time, the files that it loads, and what becomes of them.
final class ThumbnailBench {
    let time = VirtualTime()
    let loop: MainLoop
    let folder: TestFolder
    private(set) var source: ThumbnailSource!
    private(set) var loader: DeferredLoader<ThumbnailKey, Thumbnail>!
    private var list: LoadList<ThumbnailKey, Thumbnail>!
    /// What a step on the loop takes.
    var stepCost = Duration.microseconds(100)
    private(set) var steps = 0
    private(set) var changed: [PictureKey] = []
    /// The reports of the disk cache: failure, and its end.
    private(set) var failures: [DiskCacheFailure] = []
    private(set) var endedFailures: [DiskCacheFailure] = []
    /// What a catalogue would know.
    private var paths: [PictureKey: FilePath] = [:]

    init(
        _ folder: TestFolder, hasCache: Bool = false, cache: ThumbnailDiskCache? = nil,
        decoding: PictureDecoding = .inProcess,
        limits: PictureLimits = PictureLimits(fileBytes: 32 << 20)
    ) throws {
        self.folder = folder
        loop = try MainLoop(clock: .virtual(time))
        let pool = try WorkerPool(width: 2, on: loop)
        source = ThumbnailSource(
            on: loop, folder: folder.folder,
            cache: hasCache ? ThumbnailDiskCache.thumbnails(in: folder.cache) : cache, pool: pool,
            decoding: decoding, limits: limits
        ) { [unowned self] in paths[$0] }
        source.onDiskCacheFailure = { [unowned self] in failures.append($0) }
        source.onDiskCacheFailureEnd = { [unowned self] in endedFailures.append($0) }
        source.onOutdated = { [unowned self] in changed.append($0.picture) }
        source.onStep = { [unowned self] _ in
            steps += 1
            time.charge(stepCost)
        }
        var configuration = QueueConfiguration()
        configuration.batch = .zero
        // What is given up is let go of at once.
        var keeping = LoaderConfiguration()
        keeping.finishesFetches = false
        keeping.byteLimit = 64 << 20
        loader = DeferredLoader(
            queue: IdleQueue(on: loop, configuration: configuration), pool: pool, source: source,
            configuration: keeping)
        list = loader.list { _, _ in }
    }

    deinit {
        loader?.close()
        source?.close()
        loop.close()
    }

    var done: PictureStatistics { source.statistics }

    /// The key of a file, which the catalogue knows from now on.
    func key(_ name: String, _ size: ThumbnailKind = .row) -> ThumbnailKey {
        let key = folder.key(name, size)
        paths[key.picture] = TestFolder.name(name)
        return key
    }

    func want(_ keys: [ThumbnailKey]) {
        list.reconcile(
            with: keys.enumerated().map { Wanted($1, urgency: .visible, rank: $0) })
        loader.checkInvariants()
    }

    func run(for milliseconds: Int? = nil) throws {
        if let milliseconds {
            try loop.run(until: time.now.advanced(by: .milliseconds(milliseconds)))
        } else {
            try loop.run()
        }
        loader.checkInvariants()
    }

    /// What is there of a file after it was wanted.
    func load(_ key: ThumbnailKey) throws -> Thumbnail? {
        want([key])
        try run()
        return loader.state(of: key).value
    }

    func failure(_ key: ThumbnailKey) throws -> PictureError.Reason? {
        want([key])
        try run()
        guard case .failed(let error, nil) = loader.state(of: key) else { return nil }
        return (error as? PictureError)?.reason
    }
}
