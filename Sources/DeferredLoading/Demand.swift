/// The difference between what was wanted and what is wanted now.
///
/// Only what changed is in it, so that a frame in which nothing changed costs its loader nothing.
public struct Demand<Key: Hashable>: Equatable {
    /// Keys newly wanted, or wanted at another urgency or rank; the most urgent first.
    public var wanted: [Wanted<Key>]
    /// Keys no longer wanted.
    public var unwanted: [Key]

    init(wanted: [Wanted<Key>], unwanted: [Key]) {
        self.wanted = wanted
        self.unwanted = unwanted
    }
}

extension Demand: Sendable where Key: Sendable {}
