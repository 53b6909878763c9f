internal import IdleLoop
internal import Glibc

/// Whether and when a failed load is worth another try.
public enum LoadRetry: Equatable, Sendable {
    /// It would fail again: the file is damaged, say.
    case never
    /// The trouble may pass: after the loader's backoff.
    case later
    /// After this time, whatever the loader's backoff says; a server has asked for it, say.
    case after(Duration)

    /// Retries what failed for want of descriptors, memory or time, or was lost in a fork; and what its
    /// error says is worth another try, after so many failures.
    public static func usual(after error: any Error, failures: Int = 1) -> LoadRetry {
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

/// An error that knows itself whether another try is worth it.
public protocol RetryableError: Error {
    /// Whether and when a load that has failed with it so many times in a row is tried again.
    func retry(afterFailures failures: Int) -> LoadRetry
}

/// Why a loader itself gives up a fetch.
public enum LoadError: Error, Equatable {
    /// It took longer than its loader lets it: this long.
    case timedOut(limit: Duration)
    /// It is more work than its loader's queue ever has room for.
    case tooCostly
    /// It is work for a worker, and its loader has no pool of them.
    case needsPool
}
