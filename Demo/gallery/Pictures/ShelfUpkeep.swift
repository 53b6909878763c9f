internal import IdleLoop

/// Has workers put small pictures on a shelf, and tidy it up when a program starts.
///
/// When more wait than there is room for, the oldest are dropped: they're made again one day.
final class ShelfUpkeep {
    /// What is to be done with a shelf.
    private enum Errand: Hashable {
        case sweep
        case store(ThumbnailKey)
    }

    /// Told on the loop of each end of such work.
    var onEnd: (() -> Void)?

    private let shelf: ThumbnailShelf
    private let pool: WorkerPool
    private let queue: IdleQueue<Errand>

    init(of shelf: ThumbnailShelf, on loop: MainLoop, pool: WorkerPool) {
        self.shelf = shelf
        self.pool = pool
        var configuration = QueueConfiguration()
        configuration.name = "thumbnail shelf"
        configuration.limit = 32
        configuration.overflow = .dropOldest
        queue = IdleQueue(on: loop, configuration: configuration)
        submit(.sweep, cost: .milliseconds(1)) {
            shelf.check()
            shelf.sweep()
        }
    }

    func close() {
        onEnd = nil
        queue.close()
    }

    /// Has one put there soon.
    func store(_ thumbnail: Thumbnail, for key: ThumbnailKey) {
        let shelf = shelf
        submit(.store(key), cost: .microseconds(100)) { shelf.store(thumbnail, for: key) }
    }

    private func submit(_ errand: Errand, cost: Duration, work: @escaping @Sendable () -> Void) {
        queue.submit(errand, priority: .normal, on: pool, cost: cost, work: work) { [weak self] _ in
            { _ in
                self?.onEnd?()
                return .done
            }
        }
    }
}
