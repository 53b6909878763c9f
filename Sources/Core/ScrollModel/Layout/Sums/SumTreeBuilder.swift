/// A builder of a ``SumTree`` from numbers that are appended one by one.
struct SumTreeBuilder {
    private var leaves: [SumLeaf] = []
    private var ends: ContiguousArray<Int64> = []
    private var first: Int64 = 0
    /// The count of numbers in the current leaf that are equal to its first.
    private var same = 0
    private(set) var count = 0
    /// The sum of the numbers in `leaves`.
    private var before: Int64 = 0
    /// The sum of the numbers in `ends`.
    private var sum: Int64 = 0

    /// The sum of all numbers.
    var total: Int64 { before &+ sum }

    /// Appends a number; O(1) amortized.
    @inline(__always)
    mutating func append(_ value: Int64) {
        if ends.count == SumLeaf.fill { close() }
        if ends.isEmpty {
            ends.reserveCapacity(SumLeaf.limit)
            first = value
        }
        if value == first { same &+= 1 }
        sum &+= value
        ends.append(sum)
        count &+= 1
    }

    /// Appends several equal numbers; O(1) amortized for many.
    mutating func append(_ value: Int64, count: Int) {
        guard count > SumLeaf.limit else {
            for _ in 0..<count { append(value) }
            return
        }
        close()
        let run = SumLeaf(repeating: value, count: count)
        if leaves.isEmpty || !leaves[leaves.count - 1].absorb(run) { leaves.append(run) }
        before &+= run.total
        self.count &+= count
    }

    @inline(never)
    private mutating func close() {
        guard !ends.isEmpty else { return }
        if same == ends.count {
            let run = SumLeaf(repeating: first, count: same)
            if leaves.isEmpty || !leaves[leaves.count - 1].absorb(run) { leaves.append(run) }
        } else {
            leaves.append(SumLeaf(ends: ends))
        }
        before &+= sum
        ends = []
        (sum, same) = (0, 0)
    }

    /// Returns the tree of all numbers.
    consuming func finish() -> SumTree {
        close()
        return SumTree(stacking: leaves)
    }
}
