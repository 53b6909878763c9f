public import IdleLoop

/// Work that is done off the loop, or goes on by itself beside it, before a value can be loaded.
///
/// A file is read by a worker; a transfer over the network needs none, as it waits most of the time:
///
/// ```swift
/// Fetch(cost: .milliseconds(5)) { try readFile(path) }
/// Fetch(cost: .milliseconds(80), start: { completion in
///     connection.get(path) { completion($0) }       // gives what cancels it
/// })
/// ```
public struct Fetch {
    /// How a fetch is done.
    public enum Work {
        /// By a worker; what it gives is handed to the load.
        case worker(@Sendable () throws -> any Sendable)
        /// By itself, once it was started on the loop; what its completion is given is handed to the
        /// load.
        case operation((OperationCompletion) -> any PendingOperation)
    }

    /// What it is expected to take; by a worker on virtual time it takes exactly that.
    public var cost: Duration
    /// How it is done.
    public var work: Work

    /// A piece of work for a worker, and what it's expected to take.
    public init(cost: Duration, work: @escaping @Sendable () throws -> any Sendable) {
        self.cost = cost
        self.work = .worker(work)
    }

    /// An operation that goes on by itself, and what it's expected to take.
    ///
    /// When the key is no longer wanted, what `start` gave is cancelled; a completion that is called
    /// later, or twice, is not heard.
    public init(
        cost: Duration, start: @escaping (OperationCompletion) -> any PendingOperation
    ) {
        self.cost = cost
        work = .operation(start)
    }
}
