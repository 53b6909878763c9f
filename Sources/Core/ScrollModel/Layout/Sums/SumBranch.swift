internal import LullLibC

/// A branch of a ``SumTree``: up to 64 leaves, or up to 64 branches of equal depth.
struct SumBranch: Sendable {
    /// The count and the sum of the numbers up to the end of a child.
    struct Mark: Sendable {
        var count: Int
        var sum: Int64
    }

    private var marks: ContiguousArray<Mark> = []
    private var leaves: ContiguousArray<SumLeaf> = []
    private var branches: ContiguousArray<SumBranch> = []

    /// The maximum number of children of a branch.
    private static var limit: Int { 64 }

    /// A branch with these children, or without any.
    init(leaves: ArraySlice<SumLeaf> = [], branches: ArraySlice<SumBranch> = []) {
        self.leaves = ContiguousArray(leaves)
        self.branches = ContiguousArray(branches)
        marks.reserveCapacity(children)
        sumUp(from: 0)
    }

    /// A tree of leaves, in their order.
    init(stacking leaves: [SumLeaf]) {
        self.init(stacking: Self.groups(leaves).map { SumBranch(leaves: $0) })
    }

    /// A tree of branches of equal depth.
    init(stacking branches: [SumBranch]) {
        var level = branches
        while level.count > 1 { level = Self.stack(level) }
        self = level.first ?? SumBranch()
    }

    /// Returns the level above branches of equal depth.
    private static func stack(_ branches: [SumBranch]) -> [SumBranch] {
        groups(branches).map { SumBranch(branches: $0) }
    }

    /// Returns slices of about equal length, none longer than the limit of a branch.
    private static func groups<Child>(_ children: [Child]) -> [ArraySlice<Child>] {
        let (count, groups) = (children.count, (children.count + limit - 1) / limit)
        return (0..<groups).map { children[count * $0 / groups..<count * ($0 + 1) / groups] }
    }

    private var isBottom: Bool { branches.isEmpty }

    private var children: Int { isBottom ? leaves.count : branches.count }

    var count: Int { marks.last?.count ?? 0 }

    var total: Int64 { marks.last?.sum ?? 0 }

    /// The only branch below this one, if there is exactly one.
    var onlyBranch: SumBranch? { branches.count == 1 ? branches[0] : nil }

    // MARK: - Queries

    /// Returns the child that has the number at an index, and the mark before that child.
    @inline(__always)
    private func child(at index: Int) -> (child: Int, before: Mark) {
        var (low, size) = (0, marks.count)
        while size > 1 {
            let half = size &>> 1
            low = marks[low &+ half &- 1].count <= index ? low &+ half : low
            size &-= half
        }
        return (low, low == 0 ? Mark(count: 0, sum: 0) : marks[low &- 1])
    }

    /// Returns one of the numbers, and the sum of those before it.
    func place(at index: Int) -> SumPlace {
        let (child, before) = child(at: index)
        let rest = index &- before.count
        return (isBottom ? leaves[child].place(at: rest) : branches[child].place(at: rest))
            .behind(before)
    }

    /// Returns the first number whose running sum is above `limit`, which is less than the total.
    func place(endingAfter limit: Int64, more: Int64) -> SumPlace {
        var (low, size) = (0, marks.count)
        while size > 1 {
            let half = size &>> 1
            let mark = marks[low &+ half &- 1]
            low = mark.sum &+ more &* Int64(mark.count) <= limit ? low &+ half : low
            size &-= half
        }
        let before = low == 0 ? Mark(count: 0, sum: 0) : marks[low &- 1]
        let rest = limit &- before.sum &- more &* Int64(before.count)
        return
            (isBottom
            ? leaves[low].place(endingAfter: rest, more: more)
            : branches[low].place(endingAfter: rest, more: more)).behind(before)
    }

    /// The leaves below, in their order; O(n).
    var allLeaves: [SumLeaf] { isBottom ? Array(leaves) : branches.flatMap(\.allLeaves) }

    /// Calls `body` with each run of equal numbers from an index on, until it returns false.
    func forEachRun(from index: Int, _ body: (_ value: Int64, _ count: Int) -> Bool) -> Bool {
        guard index < count else { return true }
        let (first, before) = child(at: index)
        var rest = index &- before.count
        for child in first..<children {
            let goesOn =
                isBottom
                ? leaves[child].forEachRun(from: rest, body)
                : branches[child].forEachRun(from: rest, body)
            guard goesOn else { return false }
            rest = 0
        }
        return true
    }
}

// Changes, insertions and removals of numbers, with splits and merges of nodes.
extension SumBranch {
    /// Sets a number; returns the new branches to the right of this one if it was split.
    mutating func set(_ value: Int64, at index: Int) -> [SumBranch] {
        guard setInPlace(value, at: index) == nil else { return [] }
        // It was part of a run of equal numbers.
        return replace(index..<index + 1, with: [SumLeaf(repeating: value, count: 1)])
    }

    /// Sets a number and returns the difference; nil if it needs a leaf of its own.
    private mutating func setInPlace(_ value: Int64, at index: Int) -> Int64? {
        let (child, before) = child(at: index)
        let rest = index &- before.count
        let difference =
            isBottom
            ? leaves[child].set(value, at: rest) : branches[child].setInPlace(value, at: rest)
        guard let difference else { return nil }
        if difference != 0 { add(Mark(count: 0, sum: difference), from: child) }
        return difference
    }

    private mutating func add(_ difference: Mark, from child: Int) {
        var marks = marks.mutableSpan
        for later in child..<marks.count {
            marks[later].count &+= difference.count
            marks[later].sum &+= difference.sum
        }
    }

    /// Inserts a number if there is room for it in a leaf; otherwise returns false.
    mutating func insertInPlace(_ value: Int64, at index: Int) -> Bool {
        guard !marks.isEmpty else { return false }
        let (child, before) = child(at: min(index, count &- 1))
        let rest = index &- before.count
        let isIn =
            isBottom
            ? leaves[child].insert(value, at: rest)
            : branches[child].insertInPlace(value, at: rest)
        guard isIn else { return false }
        add(Mark(count: 1, sum: value), from: child)
        return true
    }

    /// Removes a number if that leaves its leaf large enough, and returns it; otherwise nil.
    mutating func removeInPlace(_ index: Int) -> Int64? {
        let (child, before) = child(at: index)
        let rest = index &- before.count
        let value: Int64
        if isBottom {
            guard leaves[child].count > SumLeaf.limit / 8 else { return nil }
            value = leaves[child][rest]
            leaves[child].remove(rest..<rest + 1)
        } else {
            guard let inside = branches[child].removeInPlace(rest) else { return nil }
            value = inside
        }
        add(Mark(count: -1, sum: 0 &- value), from: child)
        return value
    }

    /// Replaces the numbers of a range by leaves; returns the new branches to the right of this one
    /// if it was split.
    mutating func replace(_ range: Range<Int>, with new: [SumLeaf]) -> [SumBranch] {
        guard !marks.isEmpty else {
            leaves = ContiguousArray(new)
            return divide(from: 0)
        }
        let (first, before) = child(at: min(range.lowerBound, count - 1))
        let (last, beforeLast) =
            range.count < 2 ? (first, before) : child(at: range.upperBound - 1)
        let start = range.lowerBound - before.count
        let end = range.upperBound - beforeLast.count
        if isBottom {
            if first == last, new.isEmpty, end - start < leaves[first].count {
                leaves[first].remove(start..<end)
                join(first - 1...first)
            } else {
                let left = leaves[first].split(at: start).0
                let right = leaves[last].split(at: end).1
                var parts = new
                if left.count > 0 { parts.insert(left, at: 0) }
                if right.count > 0 { parts.append(right) }
                leaves.replaceSubrange(first...last, with: parts)
                join(first - 1...first + parts.count - 1)
            }
        } else {
            var rest = end
            if first < last {
                // From the end, so that the indexes of what is still to be done stay valid.
                branches.insert(
                    contentsOf: branches[last].replace(0..<end, with: []), at: last + 1)
                if branches[last].marks.isEmpty { branches.remove(at: last) }
                branches.removeSubrange(first + 1..<last)
                rest = branches[first].count
            }
            let others = branches[first].replace(start..<rest, with: new)
            if !others.isEmpty { branches.insert(contentsOf: others, at: first + 1) }
            if branches[first].marks.isEmpty { branches.remove(at: first) }
            if !range.isEmpty { join(first - 1...first + others.count) }
        }
        return divide(from: max(0, first - 1))
    }

    /// Updates the running sums from a child on; if there are too many children, splits the branch
    /// and returns the others.
    private mutating func divide(from child: Int) -> [SumBranch] {
        guard children > Self.limit else {
            sumUp(from: child)
            return []
        }
        var parts =
            isBottom
            ? Self.groups(Array(leaves)).map { SumBranch(leaves: $0) } : Self.stack(Array(branches))
        self = parts.removeFirst()
        return parts
    }

    /// Merges small children of a range with their successors.
    private mutating func join(_ range: ClosedRange<Int>) {
        for child in range.reversed() where child >= 0 && child + 1 < children {
            if isBottom {
                if leaves[child].absorb(leaves[child + 1]) { leaves.remove(at: child + 1) }
            } else if branches[child].children + branches[child + 1].children <= Self.limit / 2 {
                branches[child].append(branches.remove(at: child + 1))
            }
        }
    }

    private mutating func append(_ next: SumBranch) {
        let old = children
        leaves += next.leaves
        branches += next.branches
        join(old - 1...old)
        sumUp(from: 0)
    }

    /// Updates the running sums from a child on.
    private mutating func sumUp(from start: Int) {
        let start = min(start, marks.count)
        marks.removeSubrange(start...)
        var mark = start == 0 ? Mark(count: 0, sum: 0) : marks[start - 1]
        for child in start..<children {
            add(child, to: &mark)
            marks.append(mark)
        }
    }

    private func add(_ child: Int, to mark: inout Mark) {
        mark.count += isBottom ? leaves[child].count : branches[child].count
        mark.sum += isBottom ? leaves[child].total : branches[child].total
    }

    /// Checks that sums and sizes are right, and returns the depth; O(n), for tests.
    @discardableResult
    func checkInvariants(isRoot: Bool) -> Int {
        precondition(leaves.isEmpty || branches.isEmpty, "a branch has leaves or branches")
        precondition(isRoot || children > 0, "a branch has children")
        precondition(children <= Self.limit, "a branch has no more children than it may")
        precondition(marks.count == children, "each child has its mark")
        var mark = Mark(count: 0, sum: 0)
        for child in 0..<children {
            add(child, to: &mark)
            precondition(
                marks[child].count == mark.count && marks[child].sum == mark.sum,
                "a mark is the sum up to there")
        }
        for leaf in leaves { leaf.checkInvariants() }
        let depths = Set(branches.map { $0.checkInvariants(isRoot: false) })
        precondition(depths.count <= 1, "all leaves are equally deep")
        return 1 + (depths.first ?? 0)
    }
}
