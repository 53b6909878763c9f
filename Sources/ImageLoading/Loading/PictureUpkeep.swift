internal import IdleLoop

/// The work that can wait until a loop has nothing better to do: keeping values on disk, returning
/// memory.
///
/// With a pool workers keep values, else it's done in slices. When more wait than there is room for,
/// the oldest are dropped: they are made again one day.
final class PictureUpkeep {
    private let queue: IdleQueue<String>
    private let pool: WorkerPool?
    /// The number of looks so far, of which each is a job of its own.
    private var looks = 0

    init(on loop: MainLoop, pool: WorkerPool?) {
        var configuration = QueueConfiguration()
        configuration.name = "picture upkeep"
        configuration.limit = 32
        configuration.overflow = .dropOldest
        queue = IdleQueue(on: loop, configuration: configuration)
        self.pool = pool
    }

    func close() { queue.close() }

    /// Takes back all that waits to be kept: memory is short.
    func cancelStores() { queue.cancel { $0.hasPrefix(Self.storing) } }

    /// The first word of the names of work that keeps a value.
    static let storing = "store "

    /// Does work that waits for the disk, by a worker if there is one, else in slices; `onEnd` is
    /// called on the loop, whatever came of it.
    ///
    /// Work of that name that hasn't begun is replaced.
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

    /// Returns memory that was freed to the system, once, in a lull that is long enough.
    func giveMemoryBack() {
        queue.submit("memory", priority: .normal, kind: "malloc_trim") { _ in
            returnFreedMemory()
            return .done
        }
    }

    /// Does something that waits for the disk, by a worker if there is one, and then the rest on the
    /// loop; or tells why it was given up, nil if there was no room for it.
    ///
    /// - Returns: The job, to take it back.
    func look<Output: Sendable>(
        _ work: @escaping @Sendable () -> Output,
        then: @escaping (Output) -> Void, otherwise: @escaping ((any Error)?) -> Void
    ) -> IdleJob? {
        guard let pool else {
            then(work())
            return nil
        }
        looks += 1
        return queue.submit(
            "look \(looks)", priority: .highest, on: pool, cost: .microseconds(100),
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
