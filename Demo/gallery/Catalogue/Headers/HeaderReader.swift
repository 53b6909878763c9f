import GalleryFiles
import IdleLoop

/// The reading of pictures' headers on workers, in batches: two at once.
final class HeaderReader {
    private static let batchesAtOnce = 2
    private static let urgentBatch = 8
    private static let batch = 32

    /// The callback for each header that was read, or is invalid.
    var onRead: ((ReadHeader) -> Void)?
    /// The callback for the time when other batches can be read.
    var onReady: (() -> Void)?

    private let folder: PictureFolder
    private let jobs: CatalogueJobs
    private var queue = HeaderQueue()
    private var batchCount = 0
    private var retryTimer: LoopTimer?
    /// Whether nothing is read before the next retry, for lack of descriptors, memory or threads.
    private var isStarved = false

    init(of folder: PictureFolder, by jobs: CatalogueJobs) {
        self.folder = folder
        self.jobs = jobs
    }

    func close() { retryTimer?.cancel() }

    /// Whether nothing is left to read, and everything that was read is in the list.
    var isComplete: Bool { queue.isEmpty }

    /// Moves the rows at these positions in an order to the front.
    func prefer(_ positions: Range<Int>, by order: ListOrder, in list: PictureList) {
        queue.prefer(positions, by: order, in: list)
    }

    /// Records that these headers are in the list, or were discarded.
    func finish(_ headers: [ReadHeader]) {
        queue.finish(headers)
    }

    /// Reads the headers of new rows, too.
    func rowsChanged(in list: PictureList) {
        queue.restart()
        queue.forgetFailures(notIn: list)
    }

    /// Starts to read the next batches, those that aren't visible only after the folders.
    func read(in list: PictureList, areFoldersRead: Bool) {
        while jobs.isAccepting, !isStarved, batchCount < Self.batchesAtOnce {
            var batch = queue.takeUrgent(Self.urgentBatch, in: list)
            let isUrgent = !batch.isEmpty
            if batch.isEmpty, areFoldersRead { batch = queue.takeNext(Self.batch, in: list) }
            guard !batch.isEmpty else { return }
            read(batch, priority: isUrgent ? .highest : .low)
        }
    }

    private func read(_ batch: [HeaderQueue.Request], priority: Priority) {
        batchCount += 1
        jobs.start(
            priority: priority,
            work: { [folder] in
                batch.map { HeaderReading(of: $0.key, at: $0.path, in: folder) }
            },
            take: { [weak self] in self?.take($0, of: batch) },
            onEnd: { [weak self] isDone in
                guard let self else { return }
                batchCount -= 1
                if !isDone {
                    queue.putBack(batch)
                    // Without threads it fails at once, and would fail again.
                    isStarved = true
                    retryLater()
                }
                onReady?()
            })
    }

    private func take(_ readings: [HeaderReading], of batch: [HeaderQueue.Request]) {
        for (request, reading) in zip(batch, readings) {
            switch reading {
            case .read(let pixels, let taken):
                onRead?(ReadHeader(key: request.key, pixels: pixels, taken: taken))
            case .failed: postpone(request.key, counts: true)
            case .starved:
                isStarved = true
                postpone(request.key, counts: false)
            }
        }
    }

    private func postpone(_ key: PictureKey, counts: Bool) {
        guard queue.postpone(key, counts: counts) else {
            onRead?(ReadHeader(key: key, pixels: nil))
            return
        }
        retryLater()
    }

    private func retryLater() {
        guard !jobs.isClosed, retryTimer == nil else { return }
        retryTimer = jobs.loop.schedule(after: .seconds(1)) { [weak self] in
            guard let self else { return }
            retryTimer = nil
            isStarved = false
            queue.retry()
            onReady?()
        }
    }
}
