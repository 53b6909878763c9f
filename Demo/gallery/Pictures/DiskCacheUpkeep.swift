internal import IdleLoop

/// The work of storing thumbnails in a disk cache, and of sweeping it when a program starts, which
/// workers do.
///
/// When more wait than there is room for, the oldest are dropped: they're made again one day.
final class DiskCacheUpkeep {
    /// The keys of jobs.
    private enum Work: Hashable {
        case sweep
        case store(ThumbnailKey)
    }

    /// Called on the loop at each end of such work.
    var onEnd: (() -> Void)?

    private let cache: ThumbnailDiskCache
    private let pool: WorkerPool
    private let queue: IdleQueue<Work>

    init(of cache: ThumbnailDiskCache, on loop: MainLoop, pool: WorkerPool) {
        self.cache = cache
        self.pool = pool
        var configuration = QueueConfiguration()
        configuration.name = "thumbnail cache"
        configuration.limit = 32
        configuration.overflow = .dropOldest
        queue = IdleQueue(on: loop, configuration: configuration)
        submit(.sweep, cost: .milliseconds(1)) {
            cache.check()
            cache.sweep()
        }
    }

    func close() {
        onEnd = nil
        queue.close()
    }

    /// Stores a thumbnail soon.
    func store(_ thumbnail: Thumbnail, for key: ThumbnailKey) {
        let cache = cache
        submit(.store(key), cost: .microseconds(100)) { cache.store(thumbnail, for: key) }
    }

    private func submit(_ key: Work, cost: Duration, work: @escaping @Sendable () -> Void) {
        queue.submit(key, priority: .normal, on: pool, cost: cost, work: work) { [weak self] _ in
            { _ in
                self?.onEnd?()
                return .done
            }
        }
    }
}
