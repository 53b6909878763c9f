/// A key whose value is wanted, how urgently, and where it stands among others of that urgency.
public struct Wanted<Key: Hashable>: Hashable {
    /// The key that is wanted.
    public var key: Key
    /// The urgency of the wish.
    public var urgency: Urgency
    /// The place among those of the same urgency, the smaller first.
    public var rank: Int

    /// The wish for a key.
    public init(_ key: Key, urgency: Urgency, rank: Int) {
        self.key = key
        self.urgency = urgency
        self.rank = rank
    }
}

extension Wanted: Sendable where Key: Sendable {}
