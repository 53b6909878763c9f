/// Where a loader gets its values from, in up to two stages.
///
/// A value may first have to be fetched, off the loop (from a disk, a network); then it's loaded, on
/// the loop, in slices of its lulls. What has no key of its own needn't be an image: a source gives
/// rows of a table, pages, tiles.
public protocol LoadSource<Key, Value> {
    /// What names a value.
    associatedtype Key: Hashable
    /// What is loaded.
    associatedtype Value

    /// What loading a key is expected to cost on the loop, from its size, say; nil if nobody knows.
    ///
    /// Policies ask it often, before anything was fetched: it must be cheap.
    func cost(of key: Key) -> Duration?

    /// The part of the work that is done off the loop; nil if there is none.
    func fetch(_ key: Key) -> Fetch?

    /// The part that is done on the loop, not begun yet.
    ///
    /// `fetched` is what the fetch gave, nil if there was none. Throws if nothing can be loaded.
    func load(_ key: Key, fetched: (any Sendable)?) throws -> any Load<Value>

    /// How many bytes a value has, for a loader that bounds them.
    func size(of value: Value) -> Int

    /// How many bytes there are of what was fetched.
    func size(ofFetched fetched: any Sendable) -> Int

    /// Whether and when a load that failed is worth another try.
    ///
    /// `failures` counts this one and those before it, since the last success.
    func retry(_ key: Key, after error: any Error, failures: Int) -> LoadRetry

    /// Which of two values that were never shown goes first when there's no room: the one of the
    /// smaller number, and of the same the one that came first.
    func precedence(of key: Key) -> Int
}

extension LoadSource {
    /// Unknown unless a source says otherwise.
    public func cost(of key: Key) -> Duration? { nil }

    /// Nothing is fetched unless a source says otherwise.
    public func fetch(_ key: Key) -> Fetch? { nil }

    /// Values don't count unless a source says otherwise.
    public func size(of value: Value) -> Int { 0 }

    /// What was fetched doesn't count unless a source says otherwise.
    public func size(ofFetched fetched: any Sendable) -> Int { 0 }

    /// What is worth it by itself; see ``LoadRetry/usual(after:failures:)``.
    public func retry(_ key: Key, after error: any Error, failures: Int) -> LoadRetry {
        .usual(after: error, failures: failures)
    }

    /// The same for all, unless a source says otherwise.
    public func precedence(of key: Key) -> Int { 0 }
}
