/// A branch of a ``SumTree``: up to 64 leaves, or up to 64 branches of equal depth.
struct SumBranch: Sendable {
    /// The count and the sum of the numbers up to the end of a child.
    struct Mark: Sendable {
        var count: Int
        var sum: Int64
    }

    var marks: ContiguousArray<Mark> = []
    var leaves: ContiguousArray<SumLeaf> = []
    var branches: ContiguousArray<SumBranch> = []

    /// The maximum number of children of a branch.
    static var limit: Int { 64 }

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
    static func stack(_ branches: [SumBranch]) -> [SumBranch] {
        groups(branches).map { SumBranch(branches: $0) }
    }

    /// Returns slices of about equal length, none longer than the limit of a branch.
    static func groups<Child>(_ children: [Child]) -> [ArraySlice<Child>] {
        let (count, groups) = (children.count, (children.count + limit - 1) / limit)
        return (0..<groups).map { children[count * $0 / groups..<count * ($0 + 1) / groups] }
    }

    var isBottom: Bool { branches.isEmpty }

    var children: Int { isBottom ? leaves.count : branches.count }

    var count: Int { marks.last?.count ?? 0 }

    var total: Int64 { marks.last?.sum ?? 0 }

    /// The only branch below this one, if there is exactly one.
    var onlyBranch: SumBranch? { branches.count == 1 ? branches[0] : nil }

    // MARK: - Queries

    /// Returns the child that has the number at an index, and the mark before that child.
    @inline(__always)
    func child(at index: Int) -> (child: Int, before: Mark) {
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

    /// Calls `body` with each number from an index on, until it returns false.
    func forEach(from index: Int, _ body: (Int64) -> Bool) -> Bool {
        guard index < count else { return true }
        let (first, before) = child(at: index)
        var rest = index &- before.count
        for child in first..<children {
            let goesOn =
                isBottom
                ? leaves[child].forEach(from: rest, body)
                : branches[child].forEach(from: rest, body)
            guard goesOn else { return false }
            rest = 0
        }
        return true
    }

    func forEachRun(_ body: (_ value: Int64, _ count: Int) -> Void) {
        for leaf in leaves { leaf.forEachRun(body) }
        for branch in branches { branch.forEachRun(body) }
    }

    mutating func sumUp(from start: Int) {
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
