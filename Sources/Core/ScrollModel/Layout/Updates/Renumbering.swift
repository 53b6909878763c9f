/// The new numbers of elements in a row when some are removed, and others inserted at given places.
///
/// The elements that stay keep their order and fill the other places.
struct Renumbering: Sendable, Equatable {
    /// The old numbers of the removed elements, ascending.
    private(set) var gone: [Int] = []
    /// The new numbers of the inserted elements, ascending.
    private(set) var given: [Int] = []

    init() {}

    init(gone: [Int], given: [Int]) {
        self.gone = gone.sorted()
        self.given = given.sorted()
    }

    /// Returns the new number of an element by its old one, nil if it was removed; O(log k).
    func new(_ old: Int) -> Int? {
        let before = gone.partitionPoint { $0 >= old }
        if before < gone.count, gone[before] == old { return nil }
        return place(ofRest: old - before)
    }

    /// Returns the old number of an element by its new one, nil if it was inserted; O(log k).
    func old(_ new: Int) -> Int? {
        let before = given.partitionPoint { $0 >= new }
        if before < given.count, given[before] == new { return nil }
        return Self.place(ofRest: new - before, besides: gone)
    }

    /// Returns the new number of the `rank`th element of those that stay.
    func place(ofRest rank: Int) -> Int { Self.place(ofRest: rank, besides: given) }

    /// Returns the `rank`th of the numbers that are not among `taken`.
    private static func place(ofRest rank: Int, besides taken: [Int]) -> Int {
        rank + taken.indices.partitionPoint { taken[$0] - $0 > rank }
    }
}
