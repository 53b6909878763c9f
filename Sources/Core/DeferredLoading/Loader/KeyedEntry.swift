internal import IdleLoop

/// A key's entry, with the results of its work.
final class KeyedEntry<Key: Hashable, Value>: LoadEntry {
    /// The results of a key's work.
    final class Contents {
        /// A function that makes a load of the fetched data.
        var fetched: (() throws -> any Load<Value>)?
        var load: (any Load<Value>)?
        /// The state that can be shown: a preview, the value or the failure; otherwise a
        /// placeholder.
        var shown = LoadState<Value>.placeholder
    }

    let key: Key
    /// The results; nil while there are none.
    private(set) var contents: Contents?

    init(_ key: Key) {
        self.key = key
    }

    override var name: String { "\(key)" }

    /// The state of its load.
    var state: LoadState<Value> {
        if let contents {
            switch contents.shown {
            case .loaded: return contents.shown
            case .failed(let error, _):
                return .failed(error, nextTry: deadline < .distantFuture ? deadline : nil)
            case .refined(let preview, _):
                return .refined(preview, share: contents.load?.share)
            default: break
            }
            if let load = contents.load { return .loading(share: load.share) }
        }
        if isFetching { return .fetching }
        return isWanted ? .queued : .placeholder
    }

    override var canBeShown: Bool {
        switch contents?.shown {
        case .refined, .loaded, .failed: true
        case .placeholder, .queued, .fetching, .loading, nil: false
        }
    }

    override func release() -> AnyObject? {
        defer { contents = nil }
        return contents
    }

    /// Adds to the results.
    func add(_ change: (Contents) -> Void) {
        let contents = contents ?? Contents()
        change(contents)
        self.contents = contents
    }
}
