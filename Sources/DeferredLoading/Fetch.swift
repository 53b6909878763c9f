public import IdleLoop

/// Work that is done off the loop, or goes on by itself beside it, before a value can be loaded.
///
/// A file is read by a worker; a transfer over the network needs none, as it waits most of the time:
///
/// ```swift
/// Fetch(cost: .milliseconds(5)) { try readFile(path) }
/// Fetch(cost: .milliseconds(80), task: { try await client.body(of: path) })
/// Fetch(cost: .milliseconds(80), start: { completion in
///     connection.get(path) { completion($0) }       // gives what cancels it
/// })
/// ```
public struct Fetch<Fetched: Sendable> {
    /// The ways to do a fetch.
    package enum Work {
        /// By a worker; what it gives is handed to the load.
        case worker(@Sendable () throws -> Fetched)
        /// By itself, once it was started on the loop; what its completion is given is handed to the
        /// load.
        case operation((MainLoop, OperationCompletion<Fetched>) -> any PendingOperation)
    }

    /// The time it is expected to take; by a worker on virtual time it takes exactly that.
    package let cost: Duration
    /// The way it is done.
    package let work: Work

    /// A piece of work for a worker, and what it's expected to take.
    public init(cost: Duration, work: @escaping @Sendable () throws -> Fetched) {
        self.cost = cost
        self.work = .worker(work)
    }

    /// An operation that goes on by itself, and what it's expected to take.
    ///
    /// When the key is no longer wanted, what `start` gave is cancelled; a completion that is called
    /// later, or twice, is not heard.
    public init(
        cost: Duration, start: @escaping (OperationCompletion<Fetched>) -> any PendingOperation
    ) {
        self.cost = cost
        work = .operation { _, completion in start(completion) }
    }

    /// A task on the loop, and what it's expected to take.
    ///
    /// It waits without keeping a worker: as many are under way at once as a loader's
    /// ``LoaderConfiguration/operations``. When the key is no longer wanted the task is cancelled, and
    /// what it returns or throws afterwards is not heard.
    public init(cost: Duration, task: @escaping () async throws -> Fetched) {
        self.cost = cost
        work = .operation { TaskOperation(task, on: $0, $1) }
    }

    /// Whether no worker does it.
    var isOperation: Bool {
        if case .worker = work { return false }
        return true
    }
}

/// A task that is under way, as an operation.
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
