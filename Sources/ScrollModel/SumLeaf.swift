/// A leaf of a ``SumTree``: up to 128 numbers by their running sums, or any number of equal ones.
struct SumLeaf: Sendable {
    /// The sum up to and with each number; empty if all are equal.
    private var ends: ContiguousArray<Int64>
    private(set) var count: Int
    /// Kept here, so that summing up leaves touches none of their memory.
    private(set) var total: Int64

    /// The most numbers that differ in a leaf.
    static var limit: Int { 128 }

    /// The numbers in a leaf of a tree that is built, so there's room for some that come later.
    static var fill: Int { limit - limit / 8 }

    /// The same number so many times.
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

    /// The number that is here so many times, if all are equal.
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

    /// The sum of the first `count` numbers.
    func sum(ofFirst count: Int) -> Int64 {
        if isRun { return value &* Int64(count) }
        return count == 0 ? 0 : ends[count &- 1]
    }

    /// Returns the first number whose running sum is above `limit`, which the total is.
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

    /// Changes a number where that needs no other leaf; nil if it does.
    mutating func set(_ value: Int64, at index: Int) -> Int64? {
        let difference = value &- self[index]
        if difference == 0 { return 0 }
        guard !isRun else { return nil }
        add(difference, from: index)
        return difference
    }

    /// Puts in a number where that needs no other leaf; false if it does.
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

    /// Takes out the numbers of a range, which isn't all.
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

    /// The numbers before an index, and those from there on.
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

    /// Takes on the numbers of the leaf that follows, if the two should be one; false if not.
    ///
    /// Two that are half full stay apart, so that taking a number out and putting it back divides
    /// and joins no leaf.
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

    /// Calls `body` with each number from an index on, until it says that it's enough.
    func forEach(from index: Int, _ body: (Int64) -> Bool) -> Bool {
        for index in index..<count where !body(self[index]) { return false }
        return true
    }

    func forEachRun(_ body: (_ value: Int64, _ count: Int) -> Void) {
        if isRun { return body(value, count) }
        for index in 0..<count { body(self[index], 1) }
    }

    /// Checks that sums don't fall.
    func checkInvariants() {
        precondition(count > 0, "a leaf holds a number")
        precondition(isRun || count == ends.count, "the count is that of the sums")
        precondition(isRun || total == ends.last, "the total is the last sum")
        precondition(!isRun || total == value * Int64(count), "equal numbers come to their product")
        precondition(count <= Self.limit || isRun, "a leaf holds no more than it may")
        precondition((0..<min(count, Self.limit)).allSatisfy { self[$0] >= 0 }, "sums don't fall")
    }
}
