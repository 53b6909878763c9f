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

    /// The fraction of the operation that is done, from 0 to 1; nil if it's unknown.
    var share: Double? { get }
}

extension PendingOperation {
    /// The default: unknown.
    public var share: Double? { nil }
}

/// The completion handler of an operation.
///
/// It may be called from inside the call that starts the operation, or at any later time on the
/// loop's thread. The first call counts, and none does after the operation was cancelled.
public struct OperationCompletion<Output> {
    private let report: (Result<Output, any Error>) -> Void
    private let preview: ((Output) -> Void)?

    /// Creates a handler that calls `report` at each result, and `preview` with partial results.
    package init(
        _ report: @escaping (Result<Output, any Error>) -> Void,
        preview: ((Output) -> Void)? = nil
    ) {
        self.report = report
        self.preview = preview
    }

    /// Reports a partial result before the end, if partial results are displayed.
    public func show(_ part: Output) { preview?(part) }

    /// Reports the result of the operation.
    public func callAsFunction(_ result: Result<Output, any Error>) {
        report(result)
    }
}
