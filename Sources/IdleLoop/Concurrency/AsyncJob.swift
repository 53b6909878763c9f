/// A job that is a task: begun in a lull, and gone on with in lulls only.
///
/// At a checkpoint it waits in its queue, as a job with more slices does. When it waits for anything
/// else it's set aside, and waits for a lull again when that has come.
final class AsyncJob {
    typealias Body = (TaskSlot) async throws -> Void

    private let loop: LoopContext
    /// What its loop has for tasks, once they are asked for.
    private let loopTasks: () -> LoopTasks
    private weak var queue: JobQueue?
    private var body: Body?
    private var slot: TaskSlot?
    private var task: (handle: Task<Void, any Error>, name: UInt)?
    private var outcome: Result<Void, any Error>?
    /// What is to be run for the task to go on, when it has waited for something else than a lull.
    private var next: UnownedJob?
    /// The job's place in its queue while it's set aside.
    private var place: JobTable.ID?

    init(in queue: JobQueue, tasks: @escaping () -> LoopTasks, _ body: @escaping Body) {
        loop = queue.loop
        loopTasks = tasks
        self.queue = queue
        self.body = body
    }

    /// Runs a slice of it.
    func run(in lull: borrowing IdleSlot) throws -> JobProgress {
        let slot = self.slot ?? TaskSlot(of: loopTasks(), ofJob: true)
        self.slot = slot
        slot.begin(lull, until: lull.sliceEnd)
        if let job = takeNext(slot) { loopTasks().run(job) }
        slot.end()
        if let outcome {
            forgetTask()
            try outcome.get()
            return .done
        }
        if !slot.isWaiting { setAside() }
        return .again
    }

    private func takeNext(_ slot: TaskSlot) -> UnownedJob? {
        guard task != nil else { return begin(slot) }
        defer { next = nil }
        return next ?? slot.gate.take()
    }

    private func begin(_ slot: TaskSlot) -> UnownedJob? {
        guard let body = body.take() else { return nil }
        let tasks = loopTasks()
        let asyncJob = self  // one that's captured as `self` would begin on the global pool
        let (handle, job) = tasks.executor.begin {
            tasks.home.begin {
                do {
                    try await body(slot)
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

    // MARK: - Waiting for something else

    private func setAside() {
        place = queue?.setAside()
        loop.countErrands(1)
    }

    /// Takes what the task has waited for: it goes on in a lull.
    func goesOn(with job: UnownedJob) {
        next = job
        guard let place = comeBack() else { return }
        queue?.comeBack(place)
    }

    private func comeBack() -> JobTable.ID? {
        guard let place = place.take() else { return nil }
        loop.countErrands(-1)
        return place
    }

    // MARK: - The end

    /// Hears of the job's end: the task of one that was taken back is cancelled, and ends by itself.
    func hasEnded(_ end: JobEnd) {
        switch end {
        case .done, .skipped, .failed: return
        case .cancelled, .dropped: break
        }
        body = nil
        guard let handle = forgetTask() else { return }
        _ = comeBack()
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
