/// The difference between the indexes of elements before and after some are removed, and others
/// inserted at given places.
///
/// The elements that stay keep their order and fill the other places.
struct IndexDifference: Sendable, Equatable {
    /// The old indexes of the removed elements, ascending.
    let removed: [Int]
    /// The new indexes of the inserted elements, ascending.
    let inserted: [Int]

    init(removed: [Int] = [], inserted: [Int] = []) {
        self.removed = removed.sorted()
        self.inserted = inserted.sorted()
    }

    /// Returns the new index of an element by its old one, nil if it was removed; O(log k).
    func newIndex(of old: Int) -> Int? {
        let before = removed.partitionPoint { $0 >= old }
        if before < removed.count, removed[before] == old { return nil }
        return index(ofKept: old - before)
    }

    /// Returns the old index of an element by its new one, nil if it was inserted; O(log k).
    func oldIndex(of new: Int) -> Int? {
        let before = inserted.partitionPoint { $0 >= new }
        if before < inserted.count, inserted[before] == new { return nil }
        return Self.index(ofKept: new - before, besides: removed)
    }

    /// Returns the new index of the `rank`th element of those that stay.
    func index(ofKept rank: Int) -> Int { Self.index(ofKept: rank, besides: inserted) }

    /// Returns the `rank`th of the indexes that are not among `taken`.
    private static func index(ofKept rank: Int, besides taken: [Int]) -> Int {
        rank + taken.indices.partitionPoint { taken[$0] - $0 > rank }
    }
}
