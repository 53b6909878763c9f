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
