/// A source of values for a loader, in up to two stages.
///
/// A value may first have to be fetched, off the loop (from a disk, a network); then it's loaded, on
/// the loop, in slices of its lulls. What has no key of its own needn't be an image: a source gives
/// rows of a table, pages, tiles.
///
/// ```swift
/// struct Thumbnails: LoadSource {
///     func fetch(_ photo: Photo) -> Fetch<[UInt8]>? {
///         Fetch(cost: .milliseconds(2)) { try photo.read() }
///     }
///
///     func load(_ photo: Photo, fetched: [UInt8]?) throws -> any Load<Picture> {
///         try DecodingLoad(of: fetched ?? [])
///     }
/// }
/// ```
public protocol LoadSource<Key, Value> {
    /// The type of the names of values.
    associatedtype Key: Hashable
    /// The type of the values.
    associatedtype Value
    /// The type of a fetch's result; `Never` where nothing is fetched.
    associatedtype Fetched: Sendable = Never

    /// Returns the expected cost of loading a key on the loop, from its size, say; nil if unknown.
    ///
    /// Policies ask it often, before anything was fetched: it must be cheap.
    func cost(of key: Key) -> Duration?

    /// The part of the work that is done off the loop, or goes on by itself; nil if there is none.
    func fetch(_ key: Key) -> Fetch<Fetched>?

    /// The part that is done on the loop, not begun yet.
    ///
    /// `fetched` is what the fetch gave, nil if there was none. Throws if nothing can be loaded.
    func load(_ key: Key, fetched: Fetched?) throws -> any Load<Value>

    /// Returns what can be shown of a part of a fetch's result, which an operation has shown; nil if
    /// nothing can.
    func preview(of key: Key, fetched: Fetched) -> Value?

    /// Returns the size of a value in bytes, for a loader that bounds them.
    func size(of value: Value) -> Int

    /// Returns the size in bytes of what was fetched.
    func size(ofFetched fetched: Fetched) -> Int

    /// Whether and when a load that failed is worth another try.
    ///
    /// `failures` counts this one and those before it, since the last success.
    func retry(_ key: Key, after error: any Error, failures: Int) -> LoadRetry
}

extension LoadSource {
    /// Unknown unless a source says otherwise.
    public func cost(of key: Key) -> Duration? { nil }

    /// Nothing is fetched unless a source says otherwise.
    public func fetch(_ key: Key) -> Fetch<Fetched>? { nil }

    /// Nothing is shown of a fetch before its end unless a source says otherwise.
    public func preview(of key: Key, fetched: Fetched) -> Value? { nil }

    /// Values don't count unless a source says otherwise.
    public func size(of value: Value) -> Int { 0 }

    /// Fetched bytes don't count unless a source says otherwise.
    public func size(ofFetched fetched: Fetched) -> Int { 0 }

    /// Decides by the error alone; see ``LoadRetry/usual(after:failures:)``.
    public func retry(_ key: Key, after error: any Error, failures: Int) -> LoadRetry {
        .usual(after: error, failures: failures)
    }
}

extension LoadSource {
    /// The load of what nothing was fetched for.
    func begin(_ key: Key) throws -> any Load<Value> { try load(key, fetched: nil) }

    func fetchCost(of key: Key) -> Duration? { fetch(key)?.cost }
}
