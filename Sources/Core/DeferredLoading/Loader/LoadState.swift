public import IdleLoop

/// The state of a key's load.
public enum LoadState<Value> {
    /// The key was never requested, or its load was cancelled.
    case placeholder
    /// The key is wanted, and waits for a worker, a lull or a place in the queue.
    case queued
    /// The value is being fetched off the loop.
    case fetching
    /// Part of the load is done: the given share, if the load reports one.
    case loading(share: Double?)
    /// Part of the load is done, and a preview can be shown until the value is loaded.
    case refined(Value, share: Double?)
    /// The value is loaded.
    case loaded(Value)
    /// The load has failed with this error; the next retry is at the given time, nil for never.
    ///
    /// It isn't retried while nobody wants it.
    case failed(any Error, nextTry: Instant?)

    /// The value, if it is loaded.
    public var value: Value? {
        if case .loaded(let value) = self { return value }
        return nil
    }

    /// The value or the preview, if there is one.
    public var shown: Value? {
        switch self {
        case .loaded(let value), .refined(let value, _): value
        default: nil
        }
    }

    /// Whether the load has ended for now: it is loaded, or has failed.
    public var isSettled: Bool {
        switch self {
        case .loaded, .failed: true
        case .placeholder, .queued, .fetching, .loading, .refined: false
        }
    }
}
