package import IdleLoop

/// Work that is done off the loop, or asynchronously on it, before a value can be loaded.
///
/// A worker reads a file; a network transfer needs no worker, since it waits most of the time:
///
/// ```swift
/// Fetch(cost: .milliseconds(5)) { try readFile(path) }
/// Fetch(cost: .milliseconds(80), task: { try await client.body(of: path) })
/// ```
public struct Fetch<Fetched: Sendable> {
    /// The ways to do a fetch.
    package enum Work {
        /// Work for a worker thread; its result is passed to the load.
        case worker(@Sendable () throws -> Fetched)
        /// An asynchronous operation that is started on the loop; the result of its completion is
        /// passed to the load.
        case operation((MainLoop, OperationCompletion<Fetched>) -> any PendingOperation)
    }

    /// The expected duration; on virtual time a worker takes exactly that.
    package let cost: Duration
    /// The way in which it is done.
    package let work: Work

    /// A fetch by a worker thread, with its expected duration.
    public init(cost: Duration, work: @escaping @Sendable () throws -> Fetched) {
        self.cost = cost
        self.work = .worker(work)
    }

    /// A fetch by an asynchronous operation, with its expected duration.
    ///
    /// When the key is no longer wanted, the operation that `start` returned is cancelled; a
    /// completion that is called later, or twice, is ignored.
    package init(
        cost: Duration, start: @escaping (OperationCompletion<Fetched>) -> any PendingOperation
    ) {
        self.cost = cost
        work = .operation { _, completion in start(completion) }
    }

    /// A fetch by a task on the loop, with its expected duration.
    ///
    /// A waiting task doesn't occupy a worker: as many run at once as the loader's
    /// ``LoaderConfiguration/operations``. When the key is no longer wanted the task is cancelled,
    /// and its later result or error is ignored.
    public init(cost: Duration, task: @escaping () async throws -> Fetched) {
        self.cost = cost
        work = .operation { TaskOperation(task, on: $0, $1) }
    }

    /// Whether it needs no worker.
    var isOperation: Bool {
        if case .worker = work { return false }
        return true
    }
}

/// A running task, as an operation.
private final class TaskOperation: PendingOperation {
    private let task: Task<Void, any Error>

    init<Output>(
        _ body: @escaping () async throws -> Output, on loop: MainLoop,
        _ completion: OperationCompletion<Output>
    ) {
        task = loop.task {
            let result: Result<Output, any Error>
            do {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            completion(result)
        }
    }

    func cancel() { task.cancel() }
}
