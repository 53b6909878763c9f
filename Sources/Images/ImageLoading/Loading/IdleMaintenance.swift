internal import IdleLoop

/// Work that can wait until a loop is idle: storing values on disk, and returning memory.
///
/// With a pool, workers store values; otherwise they are stored in slices. When the queue is full,
/// the oldest jobs are dropped: their values are made again when they are needed.
final class IdleMaintenance {
    private let queue: IdleQueue<String>
    private let pool: WorkerPool?
    /// The number of lookups so far, each of which is a job with its own key.
    private var lookups = 0

    init(on loop: MainLoop, pool: WorkerPool?) {
        var configuration = QueueConfiguration()
        configuration.name = "picture maintenance"
        configuration.limit = 32
        queue = IdleQueue(on: loop, configuration: configuration)
        self.pool = pool
    }

    func close() { queue.close() }

    /// Does work that blocks on the disk, on a worker if there is one, else in slices, and calls
    /// `onEnd` on the loop, whatever the result.
    ///
    /// A job of that name that hasn't begun is replaced.
    func submit(
        _ name: String, _ onEnd: @escaping () -> Void,
        _ work: @escaping @Sendable () -> (any SteppedWork<Void, any Error>)?
    ) {
        queue.cancel(name)
        if let pool {
            queue.submit(
                name, priority: .normal, on: pool, cost: .microseconds(100),
                onEnd: { _ in onEnd() }, work: { _ = try work()?.finish() }
            ) { _ in { _ in .done } }
        } else if let work = work() {
            queue.submit(name, priority: .lowest, onEnd: { _ in onEnd() }) { slot in
                repeat {
                    if try work.advance() != nil { return .done }
                } while !slot.isOver
                return .again
            }
        }
    }

    /// Returns freed memory to the system, once, in a lull that is long enough.
    func giveMemoryBack() {
        queue.submit("memory", priority: .normal, kind: "malloc_trim") { _ in
            returnFreedMemory()
            return .done
        }
    }

    /// Does work that blocks, on a worker if there is one, in the order of `priority` and `rank` among
    /// all work of the workers; then calls `then` on the loop, or calls `otherwise` with the error if it was abandoned, with nil if the queue was
    /// full.
    ///
    /// - Returns: The job, to cancel or move it.
    func lookUp<Output: Sendable>(
        _ priority: Priority, rank: Int, _ work: @escaping @Sendable () -> Output,
        then: @escaping (Output) -> Void, otherwise: @escaping ((any Error)?) -> Void
    ) -> IdleJob? {
        guard let pool else {
            then(work())
            return nil
        }
        lookups += 1
        return queue.submit(
            "look \(lookups)", priority: priority, rank: rank, on: pool, cost: .microseconds(100),
            onEnd: { end in
                switch end {
                case .failed(let error): otherwise(error)
                case .dropped, .cancelled: otherwise(nil)
                case .done, .skipped: break
                }
            }, work: work
        ) { output in
            { _ in
                then(output)
                return .done
            }
        }
    }
}
