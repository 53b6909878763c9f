/// One of the lists that a loader serves: it wants keys, and is told of those that it subscribes to.
///
/// What two lists want is loaded once, as urgently as the one that needs it more. Among wishes of
/// the same urgency, lists take turns by their weights: one with ten thousand wishes doesn't keep
/// the other's rows waiting.
///
/// ```swift
/// let albums = loader.list(named: "albums") { album, state in
///     if let picture = state.shown { sidebar.show(picture, of: album) }
/// }
/// albums.subscribe(to: album)
/// albums.reconcile(with: wanted)
/// ```
///
/// When it's closed, or let go of, it wants nothing any more.
public final class LoadList<Key: Hashable, Value> {
    /// Nil if it's gone.
    private weak var loader: DeferredLoader<Key, Value>?
    private let state: ListState<Key, Value>

    init(_ state: ListState<Key, Value>, of loader: DeferredLoader<Key, Value>) {
        self.state = state
        self.loader = loader
    }

    deinit {
        close()
    }

    /// The keys it wants now.
    package var wanted: [Wanted<Key>] { state.wanted }

    /// Makes `wanted` what is wanted: the one call for everything that changes a list's mind.
    ///
    /// What is no longer wanted is taken back (what was begun is kept, should it be wanted again),
    /// what is wanted at another urgency changes its place, what is new waits for its lull.
    /// `reason` says why a key is wanted or isn't; it is only asked if somebody listens to decisions.
    /// O(n) in the keys, and O(log n) for each that has changed.
    public func reconcile(with wanted: [Wanted<Key>], reason: ((Key) -> String?)? = nil) {
        loader?.reconcile(state, with: wanted, reason: reason)
    }

    // MARK: - Subscriptions

    /// The keys that it has subscribed to, the earliest first.
    ///
    /// O(n log n).
    public var subscriptions: [Key] { state.subscribed.map(\.key) }

    /// Whether it has subscribed to a key.
    package func isSubscribed(to key: Key) -> Bool { state.subscriptions[key] != nil }

    /// Subscribes to what can be shown of a key, and keeps that until it's no longer
    /// subscribed to.
    ///
    /// The value, a preview or a failure that is there is told before this returns.
    public func subscribe(to key: Key) {
        loader?.subscribe(state, to: key)
    }

    /// Ends a subscription: nothing more of the key is told, and its value may be let go of.
    public func unsubscribe(from key: Key) {
        loader?.unsubscribe(state, from: key)
    }

    /// Told before idle of the subscribed keys whose values have come further, each at most once,
    /// with how far they have come by then.
    ///
    /// Never from inside a call of the loader. Nil costs nothing. What can be shown is told by the
    /// `commit` callback, and needn't be taken from here.
    public var onProgress: ((_ key: Key, _ state: LoadState<Value>) -> Void)? {
        get { state.onProgress }
        set { loader?.listen(to: state, newValue) }
    }

    /// Takes back all that the list wants, and ends its subscriptions.
    public func close() {
        loader?.close(state)
    }
}
