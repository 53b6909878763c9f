/// The queue of the pieces of tasks that run on a loop's lanes.
final class LaneTasks: TaskPieces {
    private let keys = KeyTable<Int>()
    private let queue: JobQueue
    /// The number of pieces so far, which are the keys.
    private var count = 0

    init(on loop: MainLoop) {
        var configuration = QueueConfiguration()
        configuration.limit = .max  // who has created a task has memory for it
        configuration.name = "tasks"
        queue = JobQueue(on: loop.context, configuration: configuration, keys: keys)
        loop.add(queue, order: 1_000_000)
    }

    func submit(_ piece: TaskPiece) {
        count += 1
        let key = count
        var job = queue.job(
            hash: UInt32(truncatingIfNeeded: key), priority: piece.priority, rank: 0, kind: "task",
            timeout: nil, onEnd: { _ in piece.runElsewhere() },
            body: { _ in
                piece.run()
                return .done
            })
        queue.giveToLanes(&job)
        _ = queue.submit(job, at: nil) { keys.insert(key, at: $0) }
    }
}
