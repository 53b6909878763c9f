/// Work that is done in small steps on a main loop, or at once by a worker.
public protocol SteppedWork<Output, Failure>: AnyObject {
    /// The type of the result.
    associatedtype Output
    /// The type of the errors.
    associatedtype Failure: Error

    /// Does the next small part of the work.
    ///
    /// - Returns: The result, after the last part and on every further call; nil until then.
    /// - Throws: The error if there is no result; no part follows.
    func advance() throws(Failure) -> Output?
}

extension SteppedWork {
    /// Does all the remaining work.
    ///
    /// - Returns: The result.
    /// - Throws: The error if there is no result.
    public func finish() throws(Failure) -> Output {
        while true {
            if let output = try advance() { return output }
        }
    }
}

/// Work that is done in one step.
public final class SingleStep<Output>: SteppedWork {
    private let work: () throws -> Output

    /// Creates work that is done when it's advanced.
    public init(_ work: @escaping () throws -> Output) { self.work = work }

    /// Does all of the work.
    public func advance() throws -> Output? { try work() }
}
