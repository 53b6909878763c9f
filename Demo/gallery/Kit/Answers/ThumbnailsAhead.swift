internal import DeferredLoading
internal import GalleryCatalogue
internal import GalleryFiles
internal import GalleryPictures
internal import IdleLoop
internal import ImageLoading
internal import ScrollModel

/// The thumbnails that are made ahead, to be on disk when they are wanted: while nobody scrolls, those
/// of the folder that was looked at last, then all others, until the disk cache is full.
///
/// A list of the loader, with the lowest urgency. It wants a few at a time, and nothing from a report
/// until some time after the last. Released, it wants nothing any more.
final class ThumbnailsAhead {
    /// The time without reports and waiting requests after which nobody scrolls.
    static let quiet = Duration.seconds(2)
    /// The maximum number of rows that are considered in one run of a job.
    static let rowsPerRun = 256
    /// The maximum number of pictures that are remembered as made: more than a cache has.
    static let mostDone = 1 << 17

    private let thumbnails: Thumbnails
    private var catalogue: Catalogue { thumbnails.catalogue }
    private let cache: ThumbnailDiskCache
    private let queue: IdleQueue<String>
    private let list: LoadList<ThumbnailKey, Thumbnail>
    /// The maximum number of pictures that are made at once.
    private let most: Int
    private var wanted: [ThumbnailKey] = []
    /// The pictures that were made, or can't be.
    private var done: Set<ThumbnailKey> = []
    /// The picture that was looked at last.
    private var last: PictureID?
    /// The number of rows that were considered, from the first of that picture's folder on.
    private var rows = 0
    /// Whether there is nothing left to make.
    private var isComplete = false
    private var timer: LoopTimer?

    /// Creates the list, whose rows are considered in `queue`; it begins when it is first told of a
    /// change.
    init(
        of thumbnails: Thumbnails, in cache: ThumbnailDiskCache, queue: IdleQueue<String>,
        most: Int
    ) {
        (self.thumbnails, self.cache, self.queue, self.most) = (thumbnails, cache, queue, most)
        list = thumbnails.loader.list(named: "ahead") { _, _ in }
        list.isPartial = true
        list.onHalfDone = { [weak self] in self?.continueSoon() }
    }

    deinit {
        timer?.cancel()
    }

    /// Returns whether a picture is being made ahead.
    func wants(_ key: ThumbnailKey) -> Bool { wanted.contains(key) }

    /// Leaves the loop to those who scroll, until nobody does; some of them show this picture.
    func pause(at picture: PictureID? = nil) {
        if let picture { last = picture }
        guard !isComplete else { return }
        rows = 0
        wanted = []
        list.reconcile(with: [])
        timer?.cancel()
        timer = queue.loop.schedule(after: Self.quiet) { [weak self] in
            self?.timer = nil
            self?.continueSoon()
        }
    }

    /// Begins anew, as there are other pictures.
    func noteChange() {
        (rows, isComplete) = (0, false)
        if timer == nil { continueSoon() }
    }

    /// Wants more in one of the next lulls.
    private func continueSoon() {
        queue.submit("ahead", priority: .lowest) { [weak self] _ in self?.wantMore() ?? .skipped }
    }

    /// Wants the next pictures that aren't made yet, as far as they are among the next rows.
    private func wantMore() -> JobProgress {
        guard timer == nil, !isComplete else { return .skipped }
        wanted.removeAll(where: isDone)
        let (first, count) = (firstRow, catalogue.rowCount)
        let hasRoom = !cache.isFull && cache.failure == nil && done.count < Self.mostDone
        for _ in 0..<Self.rowsPerRun where hasRoom && wanted.count < most && rows < count {
            let picture = catalogue.entry(atPosition: (first + rows) % count, by: .name).key
            let key = ThumbnailKey(picture: picture, size: .row)
            if !isDone(key), !wanted.contains(key) { wanted.append(key) }
            rows += 1
        }
        list.reconcile(with: wanted.map { Wanted($0, urgency: .speculative, rank: 0) })
        if hasRoom, wanted.count < most, rows < count { return .again }
        isComplete = rows == count && wanted.isEmpty
        return .done
    }

    /// Returns whether a picture was made, or can't be, and remembers that.
    private func isDone(_ key: ThumbnailKey) -> Bool {
        if !done.contains(key), thumbnails.loader.state(of: key).isSettled { done.insert(key) }
        return done.contains(key)
    }

    /// The first row of the folder that was looked at last.
    private var firstRow: Int {
        guard let place = last.flatMap({ catalogue.position(of: $0) }) else { return 0 }
        return place - catalogue.layout(by: .name).row(atPosition: place).row
    }
}
