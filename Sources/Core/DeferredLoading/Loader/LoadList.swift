/// One of a loader's lists: it requests keys, and is notified of the keys that it subscribes to.
///
/// A key that two lists want is loaded once, with the greater urgency of the two. Among requests of
/// the same urgency, lists take turns by their weights: a list with ten thousand requests doesn't
/// delay the rows of another. ``DeferredLoader`` makes lists, and shows how one is used.
///
/// A list that is closed or released wants nothing any more.
public final class LoadList<Key: Hashable, Value> {
    /// The loader; nil if it was released.
    private weak var loader: DeferredLoader<Key, Value>?
    let state: DemandList

    init(_ state: DemandList, of loader: DeferredLoader<Key, Value>) {
        self.state = state
        self.loader = loader
    }

    deinit {
        close()
    }

    /// The keys that the list wants now.
    package var wanted: [Wanted<Key>] {
        state.requests.map {
            let key = DeferredLoader<Key, Value>.own($0.entry).key
            return Wanted(key, urgency: $0.order.urgency, rank: $0.order.turn)
        }
    }

    /// Replaces the wanted keys: the one call for everything that changes what a list wants.
    ///
    /// Keys that are no longer wanted are cancelled, unless their fetch is under way; keys with
    /// another urgency move in the queue, and new keys wait for a lull.
    /// `reason` returns why a key is wanted or isn't; it is only called if decisions are observed.
    /// O(n) in the keys, and O(log n) for each that has changed.
    public func reconcile(with wanted: [Wanted<Key>], reason: ((Key) -> String?)? = nil) {
        change { [state] in $0.reconcile(state, with: wanted, reason: reason) }
    }

    // MARK: - Subscriptions

    /// The keys that the list has subscribed to, the earliest first.
    ///
    /// O(n log n).
    package var subscriptions: [Key] {
        state.subscribed.map { DeferredLoader<Key, Value>.own($0).key }
    }

    /// Subscribes to a key, and keeps what can be shown of it until the subscription ends.
    ///
    /// If there is a value, a preview or a failure already, it is delivered before this returns; inside
    /// a callback, when that has returned.
    public func subscribe(to key: Key) {
        change { [state] in $0.subscribe(state, to: key) }
    }

    /// Ends a subscription: nothing more of the key is delivered, and its value may be evicted.
    public func unsubscribe(from key: Key) {
        change { [state] in $0.unsubscribe(state, from: key) }
    }

    /// Whether it wants more than what was requested, so that ``onHalfDone`` is called.
    public var isPartial: Bool {
        get { state.isPartial }
        set { state.isPartial = newValue }
    }

    /// The callback for the time to want more, for a list that has much to load and requests a few keys
    /// at a time: half of the wanted loads have ended, and then half of the rest.
    public var onHalfDone: (() -> Void)? {
        get { state.onHalfDone }
        set { state.onHalfDone = newValue }
    }

    /// Cancels all that the list wants, and ends its subscriptions.
    public func close() {
        change { [state] in $0.close(state) }
    }

    private func change(_ body: @escaping (DeferredLoader<Key, Value>) -> Void) {
        guard let loader else { return }
        loader.call { body(loader) }
    }
}
