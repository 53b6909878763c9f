/// Doubly linked lists of slot numbers, kept in two arrays.
///
/// A slot is in one list at most. Where the lists begin and end is kept by their owner, so that many
/// lists can share the links; every change is O(1).
///
/// ```swift
/// var links = SlotLinks(), recent = SlotLinks.List()
/// links.prepend(3, to: &recent)
/// links.prepend(5, to: &recent)
/// recent.last                     // 3
/// ```
struct SlotLinks: Sendable {
    /// Where a list begins and ends, and how many slots it has.
    struct List: Sendable {
        fileprivate(set) var first: Int?
        fileprivate(set) var last: Int?
        fileprivate(set) var count = 0
    }

    private var nexts: [Int?] = []
    private var previouses: [Int?] = []

    /// The slot behind one that is in a list.
    func next(after slot: Int) -> Int? { nexts[slot] }

    /// Puts a slot that is in no list before the first.
    mutating func prepend(_ slot: Int, to list: inout List) {
        insert(slot, after: nil, before: list.first, in: &list)
    }

    /// Puts a slot that is in no list behind the last.
    mutating func append(_ slot: Int, to list: inout List) {
        insert(slot, after: list.last, before: nil, in: &list)
    }

    /// Takes out a slot that is in this list.
    mutating func remove(_ slot: Int, from list: inout List) {
        join(previouses[slot], nexts[slot], in: &list)
        list.count -= 1
    }

    private mutating func insert(_ slot: Int, after: Int?, before: Int?, in list: inout List) {
        while nexts.count <= slot {
            nexts.append(nil)
            previouses.append(nil)
        }
        join(after, slot, in: &list)
        join(slot, before, in: &list)
        list.count += 1
    }

    /// Makes two slots neighbours; nil stands for the list's own ends.
    private mutating func join(_ one: Int?, _ other: Int?, in list: inout List) {
        if let one { nexts[one] = other } else { list.first = other }
        if let other { previouses[other] = one } else { list.last = one }
    }

    /// Checks a list from both sides, and returns its slots from the first to the last.
    ///
    /// O(n), for tests.
    func checkInvariants(of list: List) -> [Int] {
        var slots: [Int] = []
        var slot = list.first
        while let present = slot {
            precondition(slots.count < list.count, "a list has no more slots than its count")
            precondition(previouses[present] == slots.last, "neighbours know each other")
            slots.append(present)
            slot = nexts[present]
        }
        precondition(slots.last == list.last, "the last slot ends the list")
        precondition(slots.count == list.count, "a list has no fewer slots than its count")
        return slots
    }
}
