internal import IdleLoop
internal import LullLibC

/// A decision whether and when to retry a failed load.
public enum LoadRetry: Equatable, Sendable {
    /// No retry, since it would fail again: the file is damaged, for example.
    ///
    /// When the key comes into view again, it is loaded anew, if the loader's backoff allows it by
    /// then: what was missing may be there.
    case never
    /// A retry after the loader's backoff, since the error may be transient.
    case later
    /// A retry after this time instead of the loader's backoff; because a server has asked for it,
    /// for example.
    case after(Duration)

    /// Returns a retry for a lack of descriptors, memory or time and for work lost in a fork, and
    /// for an error of Lull's own what that says.
    package static func usual(after error: any Error, failures: Int = 1) -> LoadRetry {
        switch error {
        case let error as any RetryableError: return error.retry(afterFailures: failures)
        case LoadError.timedOut, LoopError.lostInFork: return .later
        case LoopError.system(_, let errno):
            return [EMFILE, ENFILE, ENOMEM, EAGAIN, EINTR, ENOBUFS].contains(errno)
                ? .later : .never
        default: return .never
        }
    }
}

/// An error that decides itself whether a load is retried.
package protocol RetryableError: Error {
    /// Returns whether and when to retry a load that has failed with it that many times in a row.
    func retry(afterFailures failures: Int) -> LoadRetry
}

/// An error by which a loader itself fails a fetch.
public enum LoadError: Error, Equatable {
    /// The fetch took longer than the loader's limit.
    case timedOut(limit: Duration)
    /// The fetch needs a worker, and the loader has no worker pool.
    case needsPool
}
