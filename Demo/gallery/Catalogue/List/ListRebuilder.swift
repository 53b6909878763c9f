import GalleryFiles
import IdleLoop

/// The making of the next list from the current one and the pending changes, on a worker.
final class ListRebuilder {
    /// The minimum time between two lists while folders are being read.
    private static let listInterval = Duration.milliseconds(100)
    /// The minimum time between two changes of heights.
    private static let heightInterval = Duration.milliseconds(250)

    /// The callback for the next list, with the changes of which it was made.
    var onRebuilt: ((ListRebuild, PendingChanges) -> Void)?
    /// The callback for the time when a list is due or another can be made.
    var onReady: (() -> Void)?

    private let jobs: CatalogueJobs
    private var pending = PendingChanges()
    private var isRebuilding = false
    private var lastRebuilt: Instant?
    private var lastMeasured: Instant?
    /// The time before which no list is made, after a failure.
    private var pauseEnd: Instant?
    private var timer: LoopTimer?

    init(by jobs: CatalogueJobs) {
        self.jobs = jobs
    }

    func close() { timer?.cancel() }

    /// Whether all changes are in the list.
    var isComplete: Bool { pending.isEmpty && !isRebuilding }

    /// Adds the pictures of a folder.
    func add(_ pictures: [ListedPicture], of folder: FilePath) {
        pending.folders[folder] = pictures
    }

    /// Adds the size of a picture.
    func add(_ header: ReadHeader) {
        pending.headers.append(header)
    }

    /// Adds an arrangement to be made.
    func add(_ arrangement: ListArrangement) {
        pending.arrangements.insert(arrangement)
    }

    /// Makes the next list when the changes are due.
    func rebuildSoon(_ list: PictureList, areFoldersRead: Bool) {
        guard jobs.isAccepting, !isRebuilding else { return }
        let now = jobs.loop.clock.now
        guard let due = due(areFoldersRead, now) else { return }
        timer?.cancel()
        timer = nil
        guard due > now else { return rebuild(list, at: now) }
        timer = jobs.loop.schedule(at: due) { [weak self] in
            guard let self else { return }
            timer = nil
            onReady?()
        }
    }

    /// Returns the time at which the changes are due in the list; nil if there are none.
    private func due(_ areFoldersRead: Bool, _ now: Instant) -> Instant? {
        let folders: Instant? =
            if pending.folders.isEmpty {
                nil
            } else if areFoldersRead {
                now
            } else {
                lastRebuilt?.advanced(by: Self.listInterval) ?? now
            }
        let headers = pending.headers.isEmpty ? nil : heightsDue(now)
        let arrangements = pending.arrangements.isEmpty ? nil : now
        guard let first = [folders, headers, arrangements].compactMap(\.self).min() else {
            return nil
        }
        return max(first, pauseEnd ?? first)
    }

    private func heightsDue(_ now: Instant) -> Instant {
        lastMeasured?.advanced(by: Self.heightInterval) ?? now
    }

    private func rebuild(_ list: PictureList, at now: Instant) {
        var batch = PendingChanges(folders: pending.folders, arrangements: pending.arrangements)
        if !pending.folders.isEmpty { lastRebuilt = now }
        pending.folders = [:]
        pending.arrangements = []
        if !pending.headers.isEmpty, heightsDue(now) <= now {
            batch.headers = pending.headers
            lastMeasured = now
            pending.headers = []
        }
        isRebuilding = true
        jobs.start(
            priority: .higher,
            work: { [batch] in ListRebuild(of: list, with: batch) },
            take: { [weak self, batch] in self?.onRebuilt?($0, batch) },
            onEnd: { [weak self, batch] in self?.rebuildEnded(batch, isDone: $0) })
    }

    private func rebuildEnded(_ batch: PendingChanges, isDone: Bool) {
        isRebuilding = false
        guard !jobs.isClosed else { return }
        pauseEnd = nil
        if !isDone {
            // Without threads it fails at once, and would fail again.
            pauseEnd = jobs.loop.clock.now.advanced(by: .seconds(1))
            // Changes that arrived meanwhile are newer.
            pending.folders.merge(batch.folders) { newer, _ in newer }
            pending.headers += batch.headers
            pending.arrangements.formUnion(batch.arrangements)
        }
        onReady?()
    }
}
