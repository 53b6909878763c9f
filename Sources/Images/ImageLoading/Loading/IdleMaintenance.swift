internal import IdleLoop

/// Work beside a loader's: what can wait until the loop is idle, such as storing values on disk, and
/// what an operation has workers do.
///
/// Without workers, values are stored in slices. When the queue is full, the oldest jobs are dropped:
/// their values are made again when they are needed.
final class IdleMaintenance {
    private let queue: IdleQueue<String>
    private let pool: WorkerPool?
    /// The number of runs so far, each of which is a job with its own key.
    private var runs = 0

    init(on loop: MainLoop, pool: WorkerPool?) {
        var configuration = QueueConfiguration()
        configuration.name = "picture maintenance"
        configuration.limit = 32
        queue = IdleQueue(on: loop, configuration: configuration)
        _ = PicturePool.shared  // it exists before a lane could be stopped while making it
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
    ///
    /// That takes the locks of all threads' memory, so that a lane does it rather than the loop.
    func giveMemoryBack() {
        queue.submit(
            "memory", priority: .normal, kind: "malloc_trim",
            anywhere: { _ in
                PicturePool.shared.trim(to: 0)
                returnFreedMemory()
                return .done
            })
    }

    /// Does work that blocks, on a worker if there is one, in the order of `priority` and `rank` among
    /// all work of the workers; then calls `completion` on the loop, with nil if it was abandoned.
    ///
    /// - Returns: The job, to cancel or move it.
    func run<Output: Sendable>(
        _ priority: Priority, rank: Int, _ work: @escaping @Sendable () -> Output,
        completion: @escaping (Output?) -> Void
    ) -> IdleJob? {
        guard let pool else {
            completion(work())
            return nil
        }
        runs += 1
        return queue.submit(
            "run \(runs)", priority: priority, rank: rank, on: pool, cost: .microseconds(100),
            onEnd: { end in
                switch end {
                case .failed, .dropped, .cancelled: completion(nil)
                case .done, .skipped: break
                }
            }, work: work
        ) { output in
            { _ in
                completion(output)
                return .done
            }
        }
    }
}
