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

    /// A place that calls `report` each time.
    package init(_ report: @escaping (Result<Output, any Error>) -> Void) {
        self.report = report
    }

    /// Says what the operation has come to.
    public func callAsFunction(_ result: Result<Output, any Error>) {
        report(result)
    }
}
