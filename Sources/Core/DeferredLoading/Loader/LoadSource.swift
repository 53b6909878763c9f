public import IdleLoop

/// A source of values for a loader, in up to two stages.
///
/// A value may first have to be fetched, off the loop (from a disk, a network); then it is loaded
/// on the loop, in slices. Values needn't be images: a source may provide rows of a table, pages,
/// tiles.
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
    /// The type of the keys that identify values.
    associatedtype Key: Hashable
    /// The type of the values.
    associatedtype Value
    /// The type of a fetch's result; `Never` if nothing is fetched.
    associatedtype Fetched: Sendable = Never

    /// The workers for the source's fetches; nil if it brings none.
    ///
    /// A loader uses them unless it is given others: a source that needs a pool for itself names it
    /// here, and nobody has to pass it twice.
    var pool: WorkerPool? { get }

    /// Returns the expected cost of loading a key on the loop, from its size for example; nil if
    /// unknown.
    ///
    /// Rules call it often, before anything was fetched: it must be cheap.
    func cost(of key: Key) -> Duration?

    /// Returns the kind of a key's load, from which its cost is learned if the source doesn't say it,
    /// and the time of its fetch; nil if unknown.
    ///
    /// It is called as often as ``cost(of:)``.
    func kind(of key: Key) -> WorkKind?

    /// Returns the part of the work that is done off the loop or asynchronously; nil if there is
    /// none.
    func fetch(_ key: Key) -> Fetch<Fetched>?

    /// Returns the part of the work that is done in lulls, in slices, not begun yet.
    ///
    /// It runs on the loop; a ``SendableLoad`` runs anywhere. `fetched` is the result of the fetch, nil
    /// if there was none. Throws if nothing can be loaded.
    func load(_ key: Key, fetched: Fetched?) throws -> any Load<Value>

    /// Takes the end of a load, on the loop: returns the value that is shown, or throws the error.
    ///
    /// It's called once for a load that was made and has ended by itself, in the lull in which its
    /// value is committed.
    func finish(
        _ key: Key, _ load: any Load<Value>, _ result: Result<Value, any Error>
    ) throws -> Value

    /// Returns a preview from a part of a fetch's result, which an operation has reported; nil if
    /// there is none.
    func preview(of key: Key, fetched: Fetched) -> Value?

    /// Returns the size of a value in bytes, for a loader that bounds them.
    func size(of value: Value) -> Int

    /// Returns the size in bytes of what was fetched.
    func size(ofFetched fetched: Fetched) -> Int

    /// Returns whether and when to retry a failed load.
    ///
    /// `failures` is the number of failures since the last success, this one included.
    func retry(_ key: Key, after error: any Error, failures: Int) -> LoadRetry

    /// Forgets that a key failed, since it is loaded anew: its content has changed, or it is retried
    /// by request.
    func forgetFailure(of key: Key)
}

extension LoadSource {
    /// Nil, for none, unless a source implements it.
    public var pool: WorkerPool? { nil }

    /// Returns nil, for unknown, unless a source implements it.
    public func cost(of key: Key) -> Duration? { nil }

    /// Returns nil, for unknown, unless a source implements it.
    public func kind(of key: Key) -> WorkKind? { nil }

    /// Does nothing, unless a source implements it.
    public func forgetFailure(of key: Key) {}

    /// Returns nil, for no fetch, unless a source implements it.
    public func fetch(_ key: Key) -> Fetch<Fetched>? { nil }

    /// Returns the value, or throws the error, unless a source implements it.
    public func finish(
        _ key: Key, _ load: any Load<Value>, _ result: Result<Value, any Error>
    ) throws -> Value { try result.get() }

    /// Returns nil, for no preview of an unfinished fetch, unless a source implements it.
    public func preview(of key: Key, fetched: Fetched) -> Value? { nil }

    /// Returns 0, so that values don't count, unless a source implements it.
    public func size(of value: Value) -> Int { 0 }

    /// Returns 0, so that fetched bytes don't count, unless a source implements it.
    public func size(ofFetched fetched: Fetched) -> Int { 0 }

    /// Decides by the error alone: a lack of descriptors, memory or time passes.
    public func retry(_ key: Key, after error: any Error, failures: Int) -> LoadRetry {
        .usual(after: error, failures: failures)
    }
}

extension LoadSource {
    /// Returns the load of a key for which nothing was fetched.
    func begin(_ key: Key) throws -> any Load<Value> { try load(key, fetched: nil) }

    func fetchCost(of key: Key) -> Duration? { fetch(key)?.cost }
}
