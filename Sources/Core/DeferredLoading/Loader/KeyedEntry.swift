internal import IdleLoop

/// A key's entry, with the results of its work.
final class KeyedEntry<Key: Hashable, Value>: LoadEntry {
    let key: Key
    /// A function that makes a load of the fetched data.
    var fetched: (() throws -> any Load<Value>)?
    var load: (any Load<Value>)?
    /// The state that can be shown: a preview, the value or the failure; otherwise a placeholder.
    var shown = LoadState<Value>.placeholder

    init(_ key: Key) {
        self.key = key
    }

    override var name: String { "\(key)" }

    /// The state of its load.
    var state: LoadState<Value> {
        switch shown {
        case .loaded: return shown
        case .failed(let error, _):
            return .failed(error, nextTry: deadline < .distantFuture ? deadline : nil)
        case .refined(let preview, _): return .refined(preview, share: share)
        default: break
        }
        if stage == .begun { return .loading(share: share) }
        if isFetching { return .fetching }
        return isWanted ? .queued : .placeholder
    }

    private var share: Double? { if let part = job?.part { part.share } else { load?.share } }

    override var canBeShown: Bool {
        switch shown {
        case .refined, .loaded, .failed: true
        case .placeholder, .queued, .fetching, .loading: false
        }
    }

    override func release() -> Any? {
        guard canBeShown || load != nil || fetched != nil else { return nil }
        defer { (fetched, load, shown) = (nil, nil, .placeholder) }
        return (fetched, load, shown)
    }
}
