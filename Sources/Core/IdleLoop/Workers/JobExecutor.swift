internal import LullLibC

/// The identifier of a piece of work in its pool.
typealias WorkID = SlotTable<OffLoopWork>.ID

/// What executes the parts of jobs that run off the loop, the most urgent first, in a limited number
/// of places: threads, or operations in progress.
///
/// The order is that of the jobs' queue, and changes with it while work waits. Outcomes arrive on the
/// loop; an executor never calls back from inside one of these calls, nor makes them wait for a task.
protocol JobExecutor: AnyObject {
    /// Changes the order of a piece of work.
    func reorder(_ id: WorkID, _ order: WorkOrder)
    /// Removes a piece of work, and returns its outcome if it is finished; what runs is cancelled.
    func remove(_ id: WorkID) -> Result<Any, any Error>?
    /// Returns the time at which a piece of work began; nil if it waits, or if the loop has taken its
    /// outcome.
    func start(of id: WorkID) -> Instant?
}

/// The work of a pool's jobs whose outcome the loop hasn't taken.
///
/// It keeps an adopted loop's host running.
final class PendingWork {
    weak var executor: (any JobExecutor)?
    private var works = SlotTable<OffLoopWork>()
    private let loop: LoopContext

    init(on loop: LoopContext) {
        self.loop = loop
    }

    func add(_ work: OffLoopWork) -> WorkID {
        loop.countOutstanding(1)
        return works.insert(work)
    }

    subscript(id: WorkID) -> OffLoopWork? { works.contains(id) ? works[id.index] : nil }

    /// Takes the outcome of a piece of work that has ended.
    func arrive(_ id: WorkID) {
        if let outcome = executor?.remove(id) { take(id)?.finish(outcome) }
    }

    /// Cancels a piece of work; returns the outcome if it's finished and has not arrived.
    func cancel(_ id: WorkID) -> Result<Any, any Error>? {
        take(id) == nil ? nil : executor?.remove(id)
    }

    /// Fails a piece of work that hasn't ended.
    func fail(_ id: WorkID, _ error: any Error) {
        _ = executor?.remove(id)
        take(id)?.finish(.failure(error))
    }

    private func take(_ id: WorkID) -> OffLoopWork? {
        guard works.contains(id) else { return nil }
        loop.countOutstanding(-1)
        return works.remove(at: id.index)
    }
}

/// The queue of jobs with a part that runs off the loop.
protocol OffLoopOwner: AnyObject {
    /// Gives a job its body, or one for a part of its work, which goes on.
    func provide(_ body: @escaping Job.Body, to id: JobTable.ID, isPart: Bool)
    /// Ends a job whose work has failed.
    func fail(_ id: JobTable.ID, _ error: any Error)
}

/// The part of a job that runs off the loop, on a worker or as an asynchronous operation.
@usableFromInline
final class OffLoopWork {
    private let pending: PendingWork
    /// A closure that gives the work to its pool's executor.
    private let begin: (WorkID, WorkOrder) -> Void
    private let then: (Any) -> Job.Body
    /// The identifier of the work in its pool, from its start to its end.
    private var id: WorkID?
    /// The output of the work, if it was finished when the job was cancelled.
    private var output: Any?
    private weak var queue: (any OffLoopOwner)?
    private var job: JobTable.ID?

    init<Output>(
        on pending: PendingWork, then: @escaping (Output) -> Job.Body,
        begin: @escaping (WorkID, WorkOrder) -> Void
    ) {
        self.pending = pending
        self.begin = begin
        self.then = { output in
            guard let output = output as? Output else {
                preconditionFailure("work gives its own type")
            }
            return then(output)
        }
    }

    /// The time at which the work began; nil if it waits, or if the loop has taken its outcome.
    var start: Instant? { id.flatMap { pending.executor?.start(of: $0) } }

    func start(_ order: WorkOrder, of job: JobTable.ID, in queue: any OffLoopOwner) {
        self.job = job
        self.queue = queue
        let id = pending.add(self)
        self.id = id
        begin(id, order)
    }

    func reorder(_ order: WorkOrder) {
        if let id { pending.executor?.reorder(id, order) }
    }

    /// Lets the job run in lulls while the work goes on.
    func process(_ part: @escaping Job.Body) {
        if let job { queue?.provide(part, to: job, isPart: true) }
    }

    /// Delivers the outcome.
    func finish(_ outcome: Result<Any, any Error>) {
        id = nil
        guard let job else { return }
        switch outcome {
        case .success(let output):
            let body = then(output)  // which may cancel the job
            queue?.provide(body, to: job, isPart: false)
        case .failure(let error): queue?.fail(job, error)
        }
    }

    func cancel() {
        if let id, case .success(let output)? = pending.cancel(id) { self.output = output }
    }

    /// Delivers the output of cancelled work that was finished: the caller may keep it.
    func deliverOutput() {
        if let output { _ = then(output) }
    }
}
