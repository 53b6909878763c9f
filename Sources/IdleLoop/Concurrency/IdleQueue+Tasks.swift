// Jobs that are tasks.
extension IdleQueue {
    /// Hands in a job written as straight-line code, which waits where it likes and runs in lulls only.
    ///
    /// It begins in a lull, and goes on in one whatever it has waited for: at a checkpoint while time
    /// remains it doesn't wait at all.
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
    /// It runs on the loop's thread, so it may use all that lives there, also what is isolated to an
    /// actor on the loop's executor; what is isolated elsewhere or `@concurrent` leaves the loop as
    /// ever. While it waits for such, it keeps its place in the queue's count, and others run.
    ///
    /// When the key is taken back, or the queue has no room for it, the job has ended and its task
    /// is cancelled: its checkpoints throw, and what it has left to do runs at once on the loop.
    /// Like a loop's `task`, it has no capture list for now. A throw is the job's failure. For the
    /// rest it is as a job in slices is: what a slice of its `kind` takes is learned, and with that
    /// or a `cost` it's started only where that fits. O(log n).
    @discardableResult
    public func submit(
        _ key: Key, priority: Priority = .normal, rank: Int = 0, cost: Duration? = nil,
        kind: JobKind? = nil, timeout: Duration? = nil, onEnd: ((JobEnd) -> Void)? = nil,
        _ body: @escaping (TaskSlot) async throws -> Void
    ) -> IdleJob {
        let job = AsyncJob(in: core, tasks: { [loop] in loop.tasks }, body)
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
