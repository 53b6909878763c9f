/// The new numbers of things in a row when some of them leave, and others come to given places.
///
/// What stays keeps its order and fills the places that are not given away.
struct Renumbering: Sendable, Equatable {
    /// The old numbers that leave, rising.
    private(set) var gone: [Int] = []
    /// The new numbers that are given away, rising.
    private(set) var given: [Int] = []

    init() {}

    init(gone: [Int], given: [Int]) {
        self.gone = gone.sorted()
        self.given = given.sorted()
    }

    /// The new number of what had an old one, nil if it left; O(log k).
    func new(_ old: Int) -> Int? {
        let before = gone.partitionPoint { $0 >= old }
        if before < gone.count, gone[before] == old { return nil }
        return place(ofRest: old - before)
    }

    /// The old number of what has a new one, nil if it came; O(log k).
    func old(_ new: Int) -> Int? {
        let before = given.partitionPoint { $0 >= new }
        if before < given.count, given[before] == new { return nil }
        return Self.place(ofRest: new - before, besides: gone)
    }

    /// The new number of the `rank`th of those that stay.
    func place(ofRest rank: Int) -> Int { Self.place(ofRest: rank, besides: given) }

    /// The number of the `rank`th of those that are not among `taken`.
    private static func place(ofRest rank: Int, besides taken: [Int]) -> Int {
        rank + taken.indices.partitionPoint { taken[$0] - $0 > rank }
    }
}
