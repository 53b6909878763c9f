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

    /// What is worth another try by itself: what failed for want of descriptors, memory or time, or
    /// was lost in a fork.
    public static func usual(after error: any Error) -> LoadRetry {
        switch error {
        case is FetchTimedOut, LoopError.lostInFork: return .later
        case LoopError.system(_, let errno):
            return [EMFILE, ENFILE, ENOMEM, EAGAIN, EINTR, ENOBUFS].contains(errno)
                ? .later : .never
        default: return .never
        }
    }
}

/// A fetch took longer than its loader lets it.
public struct FetchTimedOut: Error, Equatable {
    /// How long it was waited for.
    public let limit: Duration
}

/// A fetch is more work than its loader's queue ever has room for.
public struct LoadTooCostly: Error, Equatable {}
