// Jobs that run as asynchronous tasks.
extension IdleQueue {
    /// Submits a job that runs as an asynchronous task, in lulls only.
    ///
    /// The job is written as straight-line code that may `await`. It begins in a lull, and
    /// continues in one, whatever it has awaited. A checkpoint returns at once while time remains.
    ///
    /// ```swift
    /// queue.submit("index", priority: .normal) { slot in
    ///     for page in book.pages {
    ///         words.add(page)
    ///         try await slot.checkpoint()
    ///     }
    ///     try await store.save(words)
    /// }
    /// ```
    ///
    /// The task runs on the loop's thread, so it may use everything that is confined to the loop,
    /// including what is isolated to an actor on the loop's executor. What is isolated elsewhere or
    /// marked `@concurrent` leaves the loop as usual. While the task awaits that, it keeps its
    /// place in the queue's count, and other jobs run.
    ///
    /// A closure in code of the main actor is isolated to it, on the main thread's loop, too. What
    /// it has awaited elsewhere returns it to the main queue rather than to a lull: until its next
    /// checkpoint, its slot is over. `isolation` is the closure's own, by default its caller's.
    ///
    /// When the job is cancelled by its key, or the queue has no room for it, the job has ended and
    /// its task is cancelled: its checkpoints throw, and the rest of it runs at once on the loop.
    /// The closure can't have a capture list for now, like that of a loop's `task`. An error that
    /// it throws is the job's failure. Otherwise it behaves as a job in slices does: the queue
    /// learns the cost of a slice by `kind`, and a job with a learned or given `cost` is started
    /// only where that fits. O(log n).
    @discardableResult
    public func submit(
        _ key: Key, priority: Priority = .normal, rank: Int = 0, cost: Duration? = nil,
        kind: JobKind? = nil, timeout: Duration? = nil, onEnd: ((JobEnd) -> Void)? = nil,
        isolation: (any Actor)? = #isolation,
        _ body: @escaping (TaskSlot) async throws -> Void
    ) -> IdleJob {
        let job = AsyncJob(
            in: core, tasks: { [loop] in loop.tasks }, isolation: isolation, body)
        let hash = hash(of: key)
        return submit(
            key, hash,
            core.job(
                hash: hash, priority: priority, rank: rank, cost: cost, kind: kind,
                timeout: timeout,
                onEnd: { end in
                    job.hasEnded(end)
                    onEnd?(end)
                },
                body: { slot in try job.run(in: slot) }))
    }
}
