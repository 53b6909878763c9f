/// How far a key's value has come.
public enum LoadState<Value> {
    /// It was never asked for, or its load was taken back.
    case placeholder
    /// It is wanted, and waits for a worker, a lull or a place in the queue.
    case queued
    /// Part of it is done.
    case loading
    /// It is there.
    case loaded(Value)
    /// It can't be had, for this reason.
    case failed(any Error)

    /// The value, if it's there.
    public var value: Value? {
        if case .loaded(let value) = self { return value }
        return nil
    }

    /// Whether nothing more will come: it's there, or it failed.
    public var isSettled: Bool {
        switch self {
        case .loaded, .failed: true
        case .placeholder, .queued, .loading: false
        }
    }
}
