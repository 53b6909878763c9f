internal import LullLibC

/// A leaf of a ``SumTree``: up to 128 numbers as running sums, or a run of any number of equal
/// ones.
struct SumLeaf: Sendable {
    /// The running sums, each including its number; empty for a run of equal numbers.
    private var ends: ContiguousArray<Int64>
    private(set) var count: Int
    /// The total, stored here so that summing leaves doesn't access their arrays.
    private(set) var total: Int64

    /// The maximum number of different numbers in a leaf.
    static var limit: Int { 128 }

    /// The count of numbers in a leaf of a new tree, which leaves room for insertions.
    static var fill: Int { limit - limit / 8 }

    /// A run of one number.
    init(repeating value: Int64, count: Int) {
        ends = []
        self.count = count
        total = value &* Int64(count)
    }

    init(ends: ContiguousArray<Int64>) {
        self.ends = ends
        count = ends.count
        total = ends.last ?? 0
    }

    var isRun: Bool { ends.isEmpty }

    /// The number of a run of equal numbers.
    private var value: Int64 { count == 0 ? 0 : total / Int64(count) }

    subscript(index: Int) -> Int64 { place(at: index).value }

    /// Returns one of the numbers, and the sum of those before it.
    func place(at index: Int) -> SumPlace {
        if isRun {
            let value = value
            return SumPlace(index: index, sum: value &* Int64(index), value: value)
        }
        let sum = index == 0 ? 0 : ends[index &- 1]
        return SumPlace(index: index, sum: sum, value: ends[index] &- sum)
    }

    /// Returns the sum of the first `count` numbers.
    func sum(ofFirst count: Int) -> Int64 {
        if isRun { return value &* Int64(count) }
        return count == 0 ? 0 : ends[count &- 1]
    }

    /// Returns the first number whose running sum is above `limit`, which is less than the total.
    func place(endingAfter limit: Int64, more: Int64) -> SumPlace {
        if isRun {
            let value = value
            let index = limit / (value + more)
            return SumPlace(index: Int(index), sum: value &* index, value: value)
        }
        var (low, size) = (0, count)
        while size > 1 {
            let half = size &>> 1
            let middle = low &+ half
            low = ends[middle &- 1] &+ more &* Int64(middle) <= limit ? middle : low
            size &-= half
        }
        return place(at: low)
    }

    /// Sets a number and returns the difference, if that needs no other leaf; otherwise nil.
    mutating func set(_ value: Int64, at index: Int) -> Int64? {
        let difference = value &- self[index]
        if difference == 0 { return 0 }
        guard !isRun else { return nil }
        add(difference, from: index)
        return difference
    }

    /// Inserts a number if that needs no other leaf; otherwise returns false.
    mutating func insert(_ value: Int64, at index: Int) -> Bool {
        if isRun {
            guard value == self.value else { return false }
            count += 1
            total &+= value
            return true
        }
        guard count < Self.limit else { return false }
        ends.insert(sum(ofFirst: index), at: index)
        count += 1
        add(value, from: index)
        return true
    }

    private mutating func add(_ difference: Int64, from index: Int) {
        var ends = ends.mutableSpan
        for later in index..<ends.count { ends[later] &+= difference }
        total &+= difference
    }

    /// Removes the numbers of a range, which isn't all of them.
    mutating func remove(_ range: Range<Int>) {
        let difference = sum(ofFirst: range.upperBound) &- sum(ofFirst: range.lowerBound)
        if isRun {
            total &-= difference
        } else {
            ends.removeSubrange(range)
            add(0 &- difference, from: range.lowerBound)
        }
        count -= range.count
    }

    /// Returns the numbers before an index, and those from the index on.
    func split(at index: Int) -> (SumLeaf, SumLeaf) {
        if isRun {
            return (
                SumLeaf(repeating: value, count: index),
                SumLeaf(repeating: value, count: count - index)
            )
        }
        let before = sum(ofFirst: index)
        return (
            SumLeaf(ends: ContiguousArray(ends[..<index])),
            SumLeaf(ends: ContiguousArray(ends[index...].map { $0 - before }))
        )
    }

    /// Appends the numbers of the next leaf, if the two should be merged; otherwise returns false.
    ///
    /// Two leaves that are half full stay separate, so that removing and reinserting a number
    /// neither splits nor merges a leaf.
    mutating func absorb(_ next: SumLeaf) -> Bool {
        if next.count == 0 { return true }
        if count == 0 || (isRun && next.isRun && value == next.value) {
            let before = self
            self = next
            count += before.count
            total += before.total
            return true
        }
        guard count + next.count <= Self.limit / 2 else { return false }
        makeDense()
        let before = total
        for index in 0..<next.count { ends.append(before + next.sum(ofFirst: index + 1)) }
        count += next.count
        total += next.total
        return true
    }

    private mutating func makeDense() {
        guard isRun else { return }
        let value = value
        ends.reserveCapacity(Self.limit / 2)
        for index in 1...count { ends.append(value &* Int64(index)) }
    }

    /// Calls `body` with each run of equal numbers from an index on, until it returns false.
    func forEachRun(from index: Int, _ body: (_ value: Int64, _ count: Int) -> Bool) -> Bool {
        if isRun { return body(value, count - index) }
        for index in index..<count where !body(self[index], 1) { return false }
        return true
    }

    /// Checks that the sums don't decrease.
    func checkInvariants() {
        precondition(count > 0, "a leaf holds a number")
        precondition(isRun || count == ends.count, "the count is that of the sums")
        precondition(isRun || total == ends.last, "the total is the last sum")
        precondition(!isRun || total == value * Int64(count), "equal numbers come to their product")
        precondition(count <= Self.limit || isRun, "a leaf holds no more than it may")
        precondition((0..<min(count, Self.limit)).allSatisfy { self[$0] >= 0 }, "sums don't fall")
    }
}
