/// A request for a key's value, with its urgency and its rank among requests of that urgency.
public struct Wanted<Key: Hashable>: Hashable {
    /// The key that is wanted.
    public var key: Key
    /// The urgency of the request.
    public var urgency: Urgency
    /// The rank among requests of the same urgency, the smaller first.
    public var rank: Int

    /// A request for a key.
    public init(_ key: Key, urgency: Urgency, rank: Int) {
        self.key = key
        self.urgency = urgency
        self.rank = rank
    }
}

extension Wanted: Sendable where Key: Sendable {}
