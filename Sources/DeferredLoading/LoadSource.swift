public import IdleLoop

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
}

extension LoadSource {
    /// Unknown unless a source says otherwise.
    public func cost(of key: Key) -> Duration? { nil }

    /// Nothing is fetched unless a source says otherwise.
    public func fetch(_ key: Key) -> Fetch? { nil }
}

/// Work that is done off the loop before a value can be loaded.
public struct Fetch: Sendable {
    /// What it is expected to take; on virtual time it takes exactly that.
    public var cost: Duration
    /// The work, called on a worker; what it gives is handed to the load.
    public var work: @Sendable () throws -> any Sendable

    /// A piece of work and what it's expected to take.
    public init(cost: Duration, work: @escaping @Sendable () throws -> any Sendable) {
        self.cost = cost
        self.work = work
    }
}

/// A value being loaded, a slice at a time; letting go of it between two slices cancels it.
public protocol Load<Value>: AnyObject {
    /// What is loaded.
    associatedtype Value

    /// Does some of the work, until it's finished or the slot's slice is over.
    func step(in slot: borrowing IdleSlot) throws -> LoadStep<Value>
}

/// What a slice of loading came to.
public enum LoadStep<Value> {
    /// There is more to do.
    case more
    /// The value is there.
    case done(Value)
}
