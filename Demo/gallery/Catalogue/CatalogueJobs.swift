import IdleLoop

/// The jobs of a catalogue: work on a worker, whose output is taken in a lull.
final class CatalogueJobs {
    let loop: MainLoop
    /// Whether the catalogue was closed.
    private(set) var isClosed = false
    private let queue: IdleQueue<Int>
    private let pool: WorkerPool
    private var lastNumber = 0

    init(on loop: MainLoop, pool: WorkerPool) {
        var configuration = QueueConfiguration()
        configuration.name = "catalogue"
        // The list must be updated on a busy loop, too.
        configuration.maxDeferral = .milliseconds(500)
        queue = IdleQueue(on: loop, configuration: configuration)
        self.loop = loop
        self.pool = pool
    }

    /// Whether jobs may be started: neither the catalogue nor its loop is being closed.
    var isAccepting: Bool { queue.isAccepting }

    func close() {
        isClosed = true
        queue.close()
    }

    /// Starts a job, which isn't done if it was cancelled, or if there is no thread for it.
    func start<Output: Sendable>(
        priority: Priority, work: @escaping @Sendable () -> Output,
        take: @escaping (Output) -> Void, onEnd: @escaping (_ isDone: Bool) -> Void
    ) {
        lastNumber += 1
        queue.submit(
            lastNumber, priority: priority, on: pool,
            onEnd: { end in
                if case .done = end { onEnd(true) } else { onEnd(false) }
            },
            work: work,
            then: { output in
                { _ in
                    take(output)
                    return .done
                }
            })
    }
}
