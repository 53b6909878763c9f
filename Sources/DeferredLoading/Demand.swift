/// The difference between what was wanted and what is wanted now.
///
/// Only what changed is in it, so that a frame in which nothing changed costs its loader nothing.
public struct Demand<Key: Hashable>: Equatable {
    /// Keys newly wanted, or wanted at another urgency or rank; the most urgent first.
    public var wanted: [Wanted<Key>]
    /// Keys no longer wanted.
    public var unwanted: [Key]

    /// What to do to get from `old` to `new`.
    ///
    /// O(n log n) in the keys of both.
    ///
    /// A key that is named twice in `new` counts as named the first time.
    public init(from old: [Wanted<Key>], to new: [Wanted<Key>]) {
        let before = Dictionary(old.map { ($0.key, $0) }) { first, _ in first }
        let after = Dictionary(new.map { ($0.key, $0) }) { first, _ in first }
        unwanted = old.lazy.map { $0.key }.filter { after[$0] == nil }
        wanted = new.filter { after[$0.key] == $0 && before[$0.key] != $0 }
            .sorted { $0.precedes($1) }
    }

    init(wanted: [Wanted<Key>], unwanted: [Key]) {
        self.wanted = wanted
        self.unwanted = unwanted
    }

    /// Whether nothing changed.
    public var isEmpty: Bool { wanted.isEmpty && unwanted.isEmpty }
}

extension Demand: Sendable where Key: Sendable {}
