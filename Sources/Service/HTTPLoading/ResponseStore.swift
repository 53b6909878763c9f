internal import IdleLoop
internal import ImageLoading

/// The stored responses of a loader, which are read and written by workers, or in lulls.
final class ResponseStore {
    /// The size of the largest body that is stored.
    let bodyLimit: Int
    private let cache: HTTPCache
    private let queue: IdleQueue<Int>
    private let workers: WorkerPool?
    private let sender: String
    private let saveLimit: Int
    /// The number of jobs so far, each of which has its number as its key.
    private var jobs = 0
    /// The number of pending writes.
    private var saves = 0
    private var isOpen = true

    /// Creates a store for a loader; as many writes may be pending as there are connections.
    init(
        _ cache: HTTPCache, on loop: MainLoop, workers: WorkerPool?,
        for configuration: HTTPLoaderConfiguration
    ) {
        self.cache = cache
        self.workers = workers
        bodyLimit = cache.limit
        sender = configuration.sender
        saveLimit = configuration.connections
        var options = QueueConfiguration()
        options.name = "HTTP cache"
        options.maxDeferral = .milliseconds(50)
        queue = IdleQueue(on: loop, configuration: options)
    }

    /// The time since 1970, in whole seconds.
    var now: Duration { .seconds(cache.now.components.seconds) }

    /// Whether no read or write is pending.
    var isIdle: Bool { queue.isEmpty }

    /// Abandons the pending reads and writes; each `then` is called.
    func close() {
        isOpen = false
        queue.close()
    }

    /// Looks for the response to a request, and calls `then` with it.
    func find(
        _ key: String, then: @escaping ((head: StoredHead, body: [UInt8])?) -> Void
    ) -> IdleJob? {
        onDisk(.highest) { [cache, sender] in
            cache.find(key, for: sender)
        } then: {
            then($0 ?? nil)
        }
    }

    /// Stores a body, or removes the stored one if it's nil, unless too many writes are pending.
    func save(_ head: StoredHead, _ body: [[UInt8]]?, for key: String) {
        guard saves < saveLimit else { return }
        saves += 1
        onDisk(.lowest) { [cache] in
            if let body {
                cache.store(pieces: body, metadata: head.bytes, for: key)
            } else {
                cache.remove(key)
            }
        } then: { [weak self] _ in
            self?.saves -= 1
            self?.sweep()
        }
    }

    /// Evicts what exceeds the cache's bound, in small steps.
    private func sweep() {
        guard isOpen else { return }
        onDisk(.lowest) { [cache] in
            cache.stepSweep()
        } then: { [weak self] isDone in
            if isDone == false { self?.sweep() }
        }
    }

    /// Does work that blocks on the disk, and calls `then` with its result; with nil if it wasn't
    /// done.
    @discardableResult
    private func onDisk<Output: Sendable>(
        _ priority: Priority, _ work: @escaping @Sendable () -> Output,
        then: @escaping (Output?) -> Void
    ) -> IdleJob {
        jobs += 1
        var output: Output?
        guard let workers else {
            return queue.submit(jobs, priority: priority, onEnd: { _ in then(output) }) { _ in
                output = work()
                return .done
            }
        }
        return queue.submit(
            jobs, priority: priority, on: workers, onEnd: { _ in then(output) }, work: work
        ) {
            output = $0
            return { _ in .done }
        }
    }
}
