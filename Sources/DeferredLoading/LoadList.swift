/// One of several lists that a loader serves: with wishes and cells of its own.
///
/// What two lists want is loaded once, as urgently as the one that needs it more. Among wishes of
/// the same urgency, lists take turns by their weights: one with ten thousand wishes doesn't keep
/// the other's rows waiting.
///
/// ```swift
/// let albums = loader.list(named: "albums") { commit in sidebar[commit.cell].show(commit.value) }
/// albums.bind(cell: 0, to: album)
/// albums.reconcile(with: wanted)
/// ```
///
/// When it's closed, or let go of, it wants nothing any more.
public final class LoadList<Key: Hashable, Value> {
    /// The loader of the list; nil if it's gone.
    public private(set) weak var loader: DeferredLoader<Key, Value>?
    private let state: ListState<Key, Value>

    init(_ state: ListState<Key, Value>, of loader: DeferredLoader<Key, Value>) {
        self.state = state
        self.loader = loader
    }

    deinit {
        close()
    }

    /// What the list is called.
    public var name: String { state.name }

    /// Its part of the work, beside other lists.
    public var weight: Int { state.account.weight }

    /// What it wants now.
    public var wanted: [Wanted<Key>] { state.wanted }

    /// Told in lulls how far the values of its cells have come; see ``DeferredLoader/onProgress``.
    public var onProgress: ((DeferredLoader<Key, Value>.Progress) -> Void)? {
        get { state.onProgress }
        set { loader?.listen(to: state, newValue) }
    }

    /// Makes `wanted` what this list wants; see ``DeferredLoader/reconcile(with:reason:)``.
    @discardableResult
    public func reconcile(
        with wanted: [Wanted<Key>], reason: ((Key) -> String?)? = nil
    ) -> Demand<Key> {
        loader?.reconcile(state, with: wanted, reason: reason)
            ?? Demand(wanted: [], unwanted: [])
    }

    /// Has a cell of this list show a key from now on; see ``DeferredLoader/bind(cell:to:)``.
    @discardableResult
    public func bind(cell: Int, to key: Key) -> UInt64 {
        loader?.bind(cell, of: state, to: key) ?? 0
    }

    /// Has a cell show nothing.
    public func unbind(cell: Int) {
        loader?.unbind(cell, of: state)
    }

    /// Takes back all that the list wants, and lets go of its cells.
    public func close() {
        loader?.close(state)
    }
}
