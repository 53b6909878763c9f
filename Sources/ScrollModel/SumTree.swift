/// Running sums of whole numbers, of which any may change, come or go.
///
/// It is a B+ tree over leaves of up to 128 numbers, or of any number of equal ones. Every node
/// keeps sums that run from its first child or number on, not those of each: so a question is a
/// binary search in each of a few small arrays, and a change adds its difference to what follows in
/// them. Changing, inserting or removing one number is O(log n).
///
/// ```swift
/// var sums = SumTree([3, 4, 5])
/// sums.sum(ofFirst: 2)            // 7
/// sums.count(whileSumAtMost: 8)   // 2
/// sums.insert(10, at: 1)
/// sums.sum(ofFirst: 2)            // 13
/// ```
///
/// The numbers are never negative, so the sums never fall and can be searched. The owner sees to
/// that, and to it that no sum overflows.
struct SumTree: Sendable {
    private var root = SumBranch()

    /// No numbers.
    init() {}

    /// The numbers in their order; O(n).
    init(_ values: some Sequence<Int64>) {
        var builder = SumTreeBuilder()
        for value in values { builder.append(value) }
        self = builder.finish()
    }

    /// A tree over leaves in their order.
    init(stacking leaves: [SumLeaf]) {
        root = SumBranch(stacking: leaves)
    }

    /// The same number so many times; O(1), in time and memory.
    init(repeating value: Int64, count: Int) {
        guard count > 0 else { return }
        root = SumBranch(stacking: [SumLeaf(repeating: value, count: count)])
    }

    /// The number of numbers.
    var count: Int { root.count }

    /// The sum of all.
    var total: Int64 { root.total }

    /// One of the numbers; O(log n).
    subscript(index: Int) -> Int64 { place(at: index).value }

    /// Returns one of the numbers, and the sum of those before it; O(log n).
    func place(at index: Int) -> SumPlace { root.place(at: index) }

    /// The sum of the first `count` numbers; O(log n).
    func sum(ofFirst count: Int) -> Int64 {
        count < root.count ? root.place(at: count).sum : root.total
    }

    /// Returns how many numbers from the first on can be summed without exceeding `limit`, at most;
    /// each counts for so much `more` than it is.
    ///
    /// This is the index of the first number whose running sum is above the limit. O(log n).
    func count(whileSumAtMost limit: Int64, more: Int64 = 0) -> Int {
        place(endingAfter: limit, more: more)?.index ?? root.count
    }

    /// Returns the number of that index; nil if all numbers can be summed.
    ///
    /// O(log n).
    func place(endingAfter limit: Int64, more: Int64 = 0) -> SumPlace? {
        guard limit < root.total &+ more &* Int64(root.count) else { return nil }
        return root.place(endingAfter: limit, more: more)
    }

    /// Gives a number another value; O(log n).
    mutating func set(_ value: Int64, at index: Int) {
        grow(root.set(value, at: index))
    }

    /// Puts in a number, or as many equal ones; O(log n).
    mutating func insert(_ value: Int64, count: Int = 1, at index: Int) {
        guard count > 0 else { return }
        if count == 1, root.insertInPlace(value, at: index) { return }
        grow(root.replace(index..<index, with: [SumLeaf(repeating: value, count: count)]))
    }

    /// Takes out the numbers of a range; O(log n) and what freeing them costs.
    mutating func remove(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        if range.count == 1, root.removeInPlace(range.lowerBound) != nil { return }
        grow(root.replace(range, with: []))
        while let only = root.onlyBranch { root = only }
    }

    /// Puts a root above the old one when that has been divided.
    private mutating func grow(_ others: [SumBranch]) {
        if !others.isEmpty { root = SumBranch(stacking: [root] + others) }
    }

    /// Calls `body` with each number from an index on, until it says that it's enough.
    ///
    /// O(log n), and O(1) for each.
    func forEach(from index: Int, _ body: (Int64) -> Bool) {
        _ = root.forEach(from: index, body)
    }

    /// The numbers of a range, as a tree of their own.
    ///
    /// O(m + log n).
    func slice(_ range: Range<Int>) -> SumTree {
        var slice = self
        slice.remove(range.upperBound..<count)
        slice.remove(0..<range.lowerBound)
        return slice
    }

    /// Puts in the numbers of another tree; O(m + log n).
    mutating func insert(_ other: SumTree, at index: Int) {
        grow(root.replace(index..<index, with: other.root.allLeaves))
    }

    /// Calls `body` with each run of equal numbers that are kept as such, and with each other
    /// number; O(n).
    func forEachRun(_ body: (_ value: Int64, _ count: Int) -> Void) {
        root.forEachRun(body)
    }

    /// Checks that sums are sums and that nodes have the size they should; O(n).
    func checkInvariants() {
        root.checkInvariants(isRoot: true)
    }
}

/// One of the numbers of a ``SumTree``.
struct SumPlace {
    let index: Int
    /// The sum of the numbers before it.
    let sum: Int64
    let value: Int64

    /// The sum of the numbers up to and with it.
    var end: Int64 { sum &+ value }

    /// Returns the same number behind others.
    func behind(_ mark: SumBranch.Mark) -> SumPlace {
        SumPlace(index: index &+ mark.count, sum: sum &+ mark.sum, value: value)
    }
}

extension SumTree: Equatable {
    /// Whether both hold the same numbers, however they came there; O(n).
    static func == (one: SumTree, other: SumTree) -> Bool {
        guard one.count == other.count, one.total == other.total else { return false }
        return one.runs.elementsEqual(other.runs, by: ==)
    }

    /// Equal neighbours told once.
    private var runs: [(value: Int64, count: Int)] {
        var runs: [(value: Int64, count: Int)] = []
        forEachRun { value, count in
            if let last = runs.last, last.value == value {
                runs[runs.count - 1].count += count
            } else {
                runs.append((value, count))
            }
        }
        return runs
    }
}
