/// An executor that runs tasks in the lulls of processors: on the lanes of a loop, or in its own lulls.
///
/// ```swift
/// let words = Task(executorPreference: loop.lanes) {
///     var words: Set<Substring> = []
///     for page in pages {
///         words.formUnion(page.split(separator: " "))
///         await Task.yield()  // another task may go first
///     }
///     return words
/// }
/// ```
///
/// A task that prefers this executor runs piece by piece, from one suspension to the next. Each piece is
/// a job that may run anywhere, in a queue that the loop keeps for them: the pieces of tasks with higher
/// priorities first, on as many lanes as the process may use processors. Where there is none, or other
/// programs have the processors, pieces run in the loop's own lulls, and are held back for frames by
/// what pieces have cost so far. A piece can't be cut: a task with much to do suspends now and then.
///
/// A task never waits for a lane in vain. When the loop is closed, or its queues are shut down, the
/// pieces that haven't begun, and all later ones, run on the global executor. On virtual time there are
/// no lanes, and all tasks run in the loop's lulls.
public final class LaneExecutor: TaskExecutor {
    private let inbox: Inbox

    init(of inbox: Inbox) {
        self.inbox = inbox
    }

    /// Enqueues a piece of a task; from any thread, it costs one post to the loop's inbox.
    public func enqueue(_ job: consuming ExecutorJob) {
        let piece = TaskPiece(UnownedJob(job), of: self)
        if !inbox.add(.piece(piece), evenIfFull: true) { piece.runElsewhere() }
    }
}
