/// The part of a job that runs off the loop, on a worker or as an asynchronous operation.
@usableFromInline
final class OffLoopWork {
    /// A closure by which a pool starts the work in its turn, and calls back when it's done.
    typealias Begin = (WorkOrder, @escaping WorkerCompletion) -> WorkerTaskID

    let then: (any Sendable) -> Job.Body?
    /// A closure that lets its job run in lulls while the work goes on.
    var process: ((@escaping Job.Body) -> Void)?
    private let tasks: any OffLoopTasks
    private let begin: Begin
    /// The identifier of the work in its pool, from its start to its end.
    private var id: WorkerTaskID?
    /// The output of the work, if it was finished when the job was cancelled.
    private var output: (any Sendable)?

    init(
        on tasks: any OffLoopTasks, then: @escaping (any Sendable) -> Job.Body?,
        begin: @escaping Begin
    ) {
        self.tasks = tasks
        self.begin = begin
        self.then = then
    }

    /// The time at which the work began; nil if it waits, or if the loop has taken its outcome.
    var start: Instant? { id.flatMap { tasks.start(of: $0) } }

    func start(_ order: WorkOrder, _ completion: @escaping WorkerCompletion) {
        id = begin(order, completion)
    }

    func reorder(_ order: WorkOrder) {
        if let id { tasks.reorder(id, order) }
    }

    func hasEnded() {
        id = nil
    }

    func cancel() {
        if let id, case .success(let output)? = tasks.cancel(id) { self.output = output }
    }

    /// Delivers the output of cancelled work that was finished: the caller may keep it.
    func deliverOutput() {
        if let output { _ = then(output) }
    }
}
