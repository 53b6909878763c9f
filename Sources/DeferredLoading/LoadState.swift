public import IdleLoop

/// The state of a key's load.
public enum LoadState<Value> {
    /// It was never asked for, or its load was taken back.
    case placeholder
    /// It is wanted, and waits for a worker, a lull or a place in the queue.
    case queued
    /// It is being fetched, off the loop.
    case fetching
    /// Part of it is done: such a share of it, if its load says so.
    case loading(share: Double?)
    /// Part of it is done, and this much of it can be shown until the rest is there.
    case refined(Value, share: Double?)
    /// It is there.
    case loaded(Value)
    /// It can't be had, for this reason; it is tried again then, or never by itself.
    ///
    /// It isn't tried while nobody wants it.
    case failed(any Error, nextTry: Instant?)

    /// The value, if it's there.
    public var value: Value? {
        if case .loaded(let value) = self { return value }
        return nil
    }

    /// The part that can be shown: the value, or as much of it as there is.
    public var shown: Value? {
        switch self {
        case .loaded(let value), .refined(let value, _): value
        default: nil
        }
    }

    /// Whether nothing more comes for now: it's there, or it failed.
    public var isSettled: Bool {
        switch self {
        case .loaded, .failed: true
        case .placeholder, .queued, .fetching, .loading, .refined: false
        }
    }
}
