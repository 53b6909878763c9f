/// An idle job that runs as an asynchronous task, begun and continued in lulls only.
///
/// At a checkpoint it waits in its queue, as a job with more slices does. While it awaits anything
/// else, it's suspended; when that is complete, it waits for a lull again.
final class AsyncJob {
    typealias Body = (TaskSlot) async throws -> Void

    private let loop: LoopContext
    /// The loop's support for tasks, created at the first call.
    private let loopTasks: () -> LoopTasks
    private weak var queue: JobQueue?
    private var body: Body?
    private var slot: TaskSlot?
    /// The actor that the body is isolated to; nil if it's to run on the loop.
    private let isolation: (any Actor)?
    private var task: (handle: Task<Void, any Error>, name: UInt)?
    private var outcome: Result<Void, any Error>?
    /// The next piece of the task, once it has awaited something other than a lull.
    private var next: UnownedJob?
    /// The job's entry in its queue while it's suspended.
    private var place: JobTable.ID?

    init(
        in queue: JobQueue, tasks: @escaping () -> LoopTasks, isolation: (any Actor)?,
        _ body: @escaping Body
    ) {
        loop = queue.loop
        self.isolation = isolation
        loopTasks = tasks
        self.queue = queue
        self.body = body
    }

    /// Runs one slice of the task.
    func run(in lull: borrowing IdleSlot) throws -> JobProgress {
        let slot = self.slot ?? TaskSlot(of: loopTasks(), ofJob: self)
        self.slot = slot
        slot.begin(lull, until: lull.sliceEnd)
        if let job = takeNext() {
            loopTasks().run(job)
        } else {
            slot.resume()
        }
        slot.end()
        if let outcome {
            forgetTask()
            try outcome.get()
            return .done
        }
        guard !slot.isWaiting else { return .again }
        place = queue?.running
        loop.countOutstanding(1)
        return .waiting
    }

    private func takeNext() -> UnownedJob? { task == nil ? begin() : next.take() }

    private func begin() -> UnownedJob? {
        guard let slot, let body = body.take() else { return nil }
        let tasks = loopTasks()
        let isOnMainActor = isMainActor(isolation)
        let begun = MainActorBody(slot: slot, body: body)
        let asyncJob = self  // captured as `self`, the task would begin on the global pool
        let (handle, job) = tasks.executor.begin {
            tasks.isolation.begin {
                do {
                    if isOnMainActor {
                        try await begun.run()
                    } else {
                        try await body(slot)
                    }
                    asyncJob.outcome = .success(())
                } catch {
                    asyncJob.outcome = .failure(error)
                }
            }
        }
        task = (handle, job.name)
        tasks.jobs[job.name] = self
        return job
    }

    // MARK: - Awaiting something else

    /// Lets the task wait for a lull again, if it was suspended.
    func waitsForLull() {
        guard let place = endSuspension() else { return }
        queue?.resume(place)
    }

    /// Resumes the task in a lull, with `job` as its next piece.
    func goesOn(with job: UnownedJob) {
        next = job
        waitsForLull()
    }

    private func endSuspension() -> JobTable.ID? {
        guard let place = place.take() else { return nil }
        loop.countOutstanding(-1)
        return place
    }

    // MARK: - Ending

    /// Handles the job's end: the task of a cancelled or dropped job is cancelled, and ends by
    /// itself.
    func hasEnded(_ end: JobEnd) {
        switch end {
        case .done, .skipped, .failed: return
        case .cancelled, .dropped: break
        }
        body = nil
        guard let handle = forgetTask() else { return }
        _ = endSuspension()
        handle.cancel()
        if let next = next.take() { loopTasks().executor.add(next) }
        slot?.gate.open()
    }

    @discardableResult
    private func forgetTask() -> Task<Void, any Error>? {
        guard let (handle, name) = task.take() else { return nil }
        loopTasks().jobs[name] = nil
        return handle
    }
}

/// The body of a job that is isolated to the main actor.
private struct MainActorBody: Sendable {
    // Not checked, as only `Sendable` values can be passed: the main thread is the loop's.
    nonisolated(unsafe) let slot: TaskSlot
    nonisolated(unsafe) let body: AsyncJob.Body

    /// Runs the body in the next slice: the way to the main actor is its queue, on which the slice
    /// would be over.
    @MainActor func run() async throws {
        try await unsafe slot.nextSlice()
        try await unsafe body(slot)
    }
}
