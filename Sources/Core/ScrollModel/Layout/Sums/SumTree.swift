/// Running sums of integers that can be changed, inserted and removed.
///
/// It is a B+ tree whose leaves hold up to 128 numbers, or any number of equal ones. Every node
/// stores running sums from its first child or number on: so a query is a binary search in each of
/// a few small arrays, and a change adds its difference to the sums after it. Changing, inserting
/// or removing one number is O(log n).
///
/// ```swift
/// var sums = SumTree([3, 4, 5])
/// sums.sum(ofFirst: 2)            // 7
/// sums.count(whileSumAtMost: 8)   // 2
/// sums.insert(10, at: 1)
/// sums.sum(ofFirst: 2)            // 13
/// ```
///
/// The numbers are never negative, so the sums never decrease and can be searched. The owner must
/// ensure that, and that no sum overflows.
struct SumTree: Sendable {
    private var root = SumBranch()

    /// An empty tree.
    init() {}

    /// A tree of numbers in their order; O(n).
    init(_ values: some Sequence<Int64>) {
        var builder = SumTreeBuilder()
        for value in values { builder.append(value) }
        self = builder.finish()
    }

    /// A tree of leaves in their order.
    init(stacking leaves: [SumLeaf]) {
        root = SumBranch(stacking: leaves)
    }

    /// A tree of one number repeated; O(1), in time and memory.
    init(repeating value: Int64, count: Int) {
        guard count > 0 else { return }
        root = SumBranch(stacking: [SumLeaf(repeating: value, count: count)])
    }

    /// The count of numbers.
    var count: Int { root.count }

    /// The sum of all numbers.
    var total: Int64 { root.total }

    /// The number at an index; O(log n).
    subscript(index: Int) -> Int64 { place(at: index).value }

    /// Returns the number at an index, and the sum of those before it; O(log n).
    func place(at index: Int) -> SumPlace { root.place(at: index) }

    /// Returns the sum of the first `count` numbers; O(log n).
    @inline(__always)
    func sum(ofFirst count: Int) -> Int64 {
        count < root.count ? root.place(at: count).sum : root.total
    }

    /// Returns the maximum number of leading numbers whose sum doesn't exceed `limit`; each number
    /// counts as itself plus `more`.
    ///
    /// This is the index of the first number whose running sum is above the limit. O(log n).
    func count(whileSumAtMost limit: Int64, more: Int64 = 0) -> Int {
        place(endingAfter: limit, more: more)?.index ?? root.count
    }

    /// Returns the number at that index; nil if the sum of all numbers doesn't exceed the limit.
    ///
    /// O(log n).
    func place(endingAfter limit: Int64, more: Int64 = 0) -> SumPlace? {
        guard limit < root.total &+ more &* Int64(root.count) else { return nil }
        return root.place(endingAfter: limit, more: more)
    }

    /// Sets a number; O(log n).
    mutating func set(_ value: Int64, at index: Int) {
        grow(root.set(value, at: index))
    }

    /// Inserts a number, or several equal ones; O(log n).
    mutating func insert(_ value: Int64, count: Int = 1, at index: Int) {
        guard count > 0 else { return }
        if count == 1, root.insertInPlace(value, at: index) { return }
        grow(root.replace(index..<index, with: [SumLeaf(repeating: value, count: count)]))
    }

    /// Removes the numbers of a range; O(log n), and the cost of freeing them.
    mutating func remove(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        if range.count == 1, root.removeInPlace(range.lowerBound) != nil { return }
        grow(root.replace(range, with: []))
        while let only = root.onlyBranch { root = only }
    }

    /// Adds a root above the old one if that was split.
    private mutating func grow(_ others: [SumBranch]) {
        if !others.isEmpty { root = SumBranch(stacking: [root] + others) }
    }

    /// Calls `body` with each number from an index on, until it returns false.
    ///
    /// O(log n), and O(1) for each.
    func forEach(from index: Int, _ body: (Int64) -> Bool) {
        forEachRun(from: index) { value, count in
            for _ in 0..<count where !body(value) { return false }
            return true
        }
    }

    /// Inserts the numbers of another tree; O(m + log n).
    mutating func insert(_ other: SumTree, at index: Int) {
        grow(root.replace(index..<index, with: other.root.allLeaves))
    }

    /// Calls `body` with each stored run of equal numbers from an index on, and with each other
    /// number, until it returns false.
    ///
    /// O(log n), and O(1) for each.
    func forEachRun(from index: Int, _ body: (_ value: Int64, _ count: Int) -> Bool) {
        _ = root.forEachRun(from: index, body)
    }

    /// Returns the least number of a range, or the greatest `Int64` for none; O(log n), and O(1) for
    /// each stored run of equal numbers.
    func least(in range: Range<Int>) -> Int64 {
        var (least, rest) = (Int64.max, range.count)
        guard rest > 0 else { return least }
        forEachRun(from: range.lowerBound) { value, count in
            least = min(least, value)
            rest -= count
            return rest > 0
        }
        return least
    }

    /// Checks that the sums and the sizes of nodes are right; O(n).
    func checkInvariants() {
        root.checkInvariants(isRoot: true)
    }
}

/// A number of a ``SumTree``, with its index and sum.
struct SumPlace {
    let index: Int
    /// The sum of the numbers before it.
    let sum: Int64
    let value: Int64

    /// The sum of the numbers up to and including it.
    var end: Int64 { sum &+ value }

    /// Returns the same number, shifted by a mark.
    func behind(_ mark: SumBranch.Mark) -> SumPlace {
        SumPlace(index: index &+ mark.count, sum: sum &+ mark.sum, value: value)
    }
}

extension SumTree: Equatable {
    /// Returns whether both hold the same numbers, whatever their structure; O(n).
    static func == (one: SumTree, other: SumTree) -> Bool {
        guard one.count == other.count, one.total == other.total else { return false }
        return one.runs.elementsEqual(other.runs, by: ==)
    }

    /// The runs of equal neighbours.
    private var runs: [(value: Int64, count: Int)] {
        var runs: [(value: Int64, count: Int)] = []
        forEachRun(from: 0) { value, count in
            if let last = runs.last, last.value == value {
                runs[runs.count - 1].count += count
            } else {
                runs.append((value, count))
            }
            return true
        }
        return runs
    }
}
