/// Something that goes on by itself once it was started, and ends on the loop: a transfer, a child.
///
/// ```swift
/// final class Transfer: PendingOperation {
///     func cancel() { watch.cancel() }
/// }
/// ```
public protocol PendingOperation: AnyObject {
    /// Ends it, as nobody wants what it would come to; what it reports afterwards isn't heard.
    ///
    /// It's called inside the call that takes the job back, before the job's `onEnd`.
    func cancel()

    /// How much of it is done, from 0 to 1; nil if it can't say.
    var share: Double? { get }
}

extension PendingOperation {
    /// Unknown unless an operation says otherwise.
    public var share: Double? { nil }
}

/// Where an operation says what it has come to.
///
/// It may be called from inside the call that starts the operation, or at any later time on the
/// loop's thread. The first call counts, and none does once the operation was taken back.
public struct OperationCompletion<Output> {
    private let report: (Result<Output, any Error>) -> Void
    private let preview: ((Output) -> Void)?

    /// A place that calls `report` each time, and `preview` with what can be shown before the end.
    package init(
        _ report: @escaping (Result<Output, any Error>) -> Void,
        preview: ((Output) -> Void)? = nil
    ) {
        self.report = report
        self.preview = preview
    }

    /// Shows a part of the result before the end, where somebody shows such parts.
    public func show(_ part: Output) { preview?(part) }

    /// Says what the operation has come to.
    public func callAsFunction(_ result: Result<Output, any Error>) {
        report(result)
    }
}
