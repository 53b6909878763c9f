/// An asynchronous operation that ends on the loop, such as a transfer or a child process.
///
/// ```swift
/// final class Transfer: PendingOperation {
///     func cancel() { watch.cancel() }
/// }
/// ```
public protocol PendingOperation: AnyObject {
    /// Cancels the operation, whose result is no longer wanted; anything it reports afterwards is
    /// ignored.
    ///
    /// It's called inside the call that cancels the job, before the job's `onEnd`.
    func cancel()

    /// The number of bytes that it holds.
    var size: Int { get }

    /// Takes the priority and rank of the operation's job: once it has started, and when they change.
    func reprioritize(_ priority: Priority, rank: Int)
}

extension PendingOperation {
    /// The default: zero.
    public var size: Int { 0 }

    /// The default: does nothing.
    public func reprioritize(_ priority: Priority, rank: Int) {}
}

/// The completion handler of an operation.
///
/// It may be called from inside the call that starts the operation, or at any later time on the
/// loop's thread. The first call counts, and none does after the operation was cancelled.
package struct OperationCompletion<Output> {
    private let report: (Result<Output, any Error>) -> Void
    private let preview: ((Output) -> Void)?
    private let work: ((@escaping Part) -> Void)?

    /// The processing of what has come so far, in slices.
    package typealias Part = (borrowing IdleSlot) throws -> JobProgress

    /// Creates a handler that calls `report` at each result, `preview` with partial results, and
    /// `process` with what is to run in lulls meanwhile.
    package init(
        _ report: @escaping (Result<Output, any Error>) -> Void,
        preview: ((Output) -> Void)? = nil, process: ((@escaping Part) -> Void)? = nil
    ) {
        self.report = report
        self.preview = preview
        work = process
    }

    /// Reports a partial result before the end, if partial results are displayed.
    package func show(_ part: Output) { preview?(part) }

    /// Processes what has come so far in lulls, while the operation goes on.
    ///
    /// `part` is called in the turn of the operation's job, in slices while it returns `again`, and
    /// not any more once the operation has ended or was cancelled. Its job isn't done when `part`
    /// is; when it throws, the job has failed, and the operation is cancelled. A later call takes the
    /// place of an earlier one. Where an operation isn't that of a job, nothing is called.
    package func process(_ part: @escaping Part) { work?(part) }

    /// Reports the result of the operation.
    package func callAsFunction(_ result: Result<Output, any Error>) {
        report(result)
    }
}
