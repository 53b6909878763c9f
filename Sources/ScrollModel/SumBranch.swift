/// A branch of a ``SumTree``: up to 64 leaves, or as many branches of one depth.
struct SumBranch: Sendable {
    /// How many numbers there are up to the end of a child, and what they come to.
    private struct Mark: Sendable {
        var count: Int
        var sum: Int64
    }

    private var marks: ContiguousArray<Mark> = []
    private var leaves: ContiguousArray<SumLeaf> = []
    private var branches: ContiguousArray<SumBranch> = []

    /// How many children a branch has at most.
    private static var limit: Int { 64 }

    /// A branch without children.
    init() {}

    /// A tree over leaves in their order.
    init(stacking leaves: [SumLeaf]) {
        var level = Self.groups(leaves.count).map { SumBranch(leaves: leaves[$0]) }
        while level.count > 1 { level = Self.stack(level) }
        if let top = level.first { self = top }
    }

    private init(leaves: ArraySlice<SumLeaf>) {
        self.leaves = ContiguousArray(leaves)
        marks.reserveCapacity(leaves.count)
        sumUp(from: 0)
    }

    private init(branches: ArraySlice<SumBranch>) {
        self.branches = ContiguousArray(branches)
        marks.reserveCapacity(branches.count)
        sumUp(from: 0)
    }

    /// The level above branches of one depth.
    static func stack(_ branches: [SumBranch]) -> [SumBranch] {
        groups(branches.count).map { SumBranch(branches: branches[$0]) }
    }

    /// Ranges of about one length, none longer than a branch may be.
    private static func groups(_ count: Int) -> [Range<Int>] {
        let groups = (count + limit - 1) / limit
        return (0..<groups).map { count * $0 / groups..<count * ($0 + 1) / groups }
    }

    private var isBottom: Bool { branches.isEmpty }

    private var children: Int { isBottom ? leaves.count : branches.count }

    var count: Int { marks.last?.count ?? 0 }

    var total: Int64 { marks.last?.sum ?? 0 }

    /// What is below this branch, if that is one branch.
    var onlyBranch: SumBranch? { branches.count == 1 ? branches[0] : nil }

    // MARK: - Questions

    /// The child that has the number at an index, and what comes before that child.
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

    subscript(index: Int) -> Int64 {
        let (child, before) = child(at: index)
        let rest = index &- before.count
        return isBottom ? leaves[child][rest] : branches[child][rest]
    }

    /// The sum of the first `count` numbers, which are not all.
    func sum(ofFirst count: Int) -> Int64 {
        let (child, before) = child(at: count)
        let rest = count &- before.count
        return before.sum
            &+ (isBottom ? leaves[child].sum(ofFirst: rest) : branches[child].sum(ofFirst: rest))
    }

    /// The index of the first number whose running sum is above `limit`, which the total is.
    func count(whileSumAtMost limit: Int64, more: Int64) -> Int {
        var (low, size) = (0, marks.count)
        while size > 1 {
            let half = size &>> 1
            let mark = marks[low &+ half &- 1]
            low = mark.sum &+ more &* Int64(mark.count) <= limit ? low &+ half : low
            size &-= half
        }
        let before = low == 0 ? Mark(count: 0, sum: 0) : marks[low &- 1]
        let rest = limit &- before.sum &- more &* Int64(before.count)
        return before.count
            &+ (isBottom
                ? leaves[low].count(whileSumAtMost: rest, more: more)
                : branches[low].count(whileSumAtMost: rest, more: more))
    }

    /// The leaves below, in their order; O(n).
    var allLeaves: [SumLeaf] { isBottom ? Array(leaves) : branches.flatMap(\.allLeaves) }

    /// Calls `body` with each number from an index on, until it says that it's enough.
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

    // MARK: - Changes

    /// Gives a number another value; the branches to the right of this one, if it was divided.
    mutating func set(_ value: Int64, at index: Int) -> [SumBranch] {
        guard setInPlace(value, at: index) == nil else { return [] }
        // It was one of many equal ones.
        remove(index..<index + 1)
        return insert([SumLeaf(repeating: value, count: 1)], at: index)
    }

    /// The difference that the new value makes; nil if it needs a leaf of its own.
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

    /// Puts in a number where there is room for it in a leaf; false if there is none.
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

    /// Takes out a number where that leaves its leaf large enough, and gives it; nil if not.
    mutating func removeInPlace(_ index: Int) -> Int64? {
        let (child, before) = child(at: index)
        let rest = index &- before.count
        let value: Int64
        if isBottom {
            guard leaves[child].count > SumLeaf.limit / 4 else { return nil }
            value = leaves[child][rest]
            leaves[child].remove(rest..<rest + 1)
        } else {
            guard let inside = branches[child].removeInPlace(rest) else { return nil }
            value = inside
        }
        add(Mark(count: -1, sum: 0 &- value), from: child)
        return value
    }

    /// Puts in leaves; the branches to the right of this one, if it was divided.
    mutating func insert(_ new: [SumLeaf], at index: Int) -> [SumBranch] {
        guard !marks.isEmpty else {
            self = SumBranch(leaves: [])
            return replaceLeaves(0..<0, with: new)
        }
        let (child, before) = child(at: min(index, count - 1))
        let rest = index - before.count
        if isBottom {
            let (left, right) = leaves[child].split(at: rest)
            return replaceLeaves(child..<child + 1, with: [left] + new + [right])
        }
        let others = branches[child].insert(new, at: rest)
        branches.insert(contentsOf: others, at: child + 1)
        return divide(from: child)
    }

    /// Puts leaves in the place of others, and joins what is small with its neighbours.
    private mutating func replaceLeaves(
        _ range: Range<Int>, with new: [SumLeaf]
    ) -> [SumBranch] {
        let first = max(0, range.lowerBound - 1)
        let end = min(leaves.count, range.upperBound + 1)
        let window = leaves[first..<range.lowerBound] + new + leaves[range.upperBound..<end]
        var joined: [SumLeaf] = []
        for leaf in window where leaf.count > 0 {
            if joined.isEmpty || !joined[joined.count - 1].absorb(leaf) { joined.append(leaf) }
        }
        leaves.replaceSubrange(first..<end, with: joined)
        return divide(from: first)
    }

    /// Sums up anew from a child on; if there are too many children, keeps as many as should be
    /// here and gives the others.
    private mutating func divide(from child: Int) -> [SumBranch] {
        guard children > Self.limit else {
            sumUp(from: child)
            return []
        }
        var parts: [SumBranch]
        if isBottom {
            let all = Array(leaves)
            parts = Self.groups(all.count).map { SumBranch(leaves: all[$0]) }
        } else {
            parts = Self.stack(Array(branches))
        }
        self = parts.removeFirst()
        return parts
    }

    /// Takes out the numbers of a range; nothing may be left.
    mutating func remove(_ range: Range<Int>) {
        guard range.count < count else {
            self = SumBranch()
            return
        }
        let (first, before) = child(at: range.lowerBound)
        let (last, beforeLast) = child(at: range.upperBound - 1)
        let start = range.lowerBound - before.count
        let end = range.upperBound - beforeLast.count
        if first == last {
            removeInside(first, start..<end)
        } else {
            // From the end on, so that what is still to be done keeps its place.
            removeInside(last, 0..<end)
            removeChildren(first + 1..<last)
            removeInside(first, start..<marks[first].count - before.count)
        }
        dropEmpty(first..<min(children, first + 2))
        join(around: first)
        sumUp(from: max(0, first - 1))
    }

    private mutating func removeInside(_ child: Int, _ range: Range<Int>) {
        if !isBottom {
            branches[child].remove(range)
        } else if range.count == leaves[child].count {
            leaves[child] = SumLeaf(repeating: 0, count: 0)
        } else {
            leaves[child].remove(range)
        }
    }

    private mutating func removeChildren(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        if isBottom {
            leaves.removeSubrange(range)
        } else {
            branches.removeSubrange(range)
        }
    }

    private mutating func dropEmpty(_ range: Range<Int>) {
        for child in range.reversed() {
            let isEmpty = isBottom ? leaves[child].count == 0 : branches[child].marks.isEmpty
            if isEmpty { removeChildren(child..<child + 1) }
        }
    }

    /// Joins small children at a place with their neighbours.
    private mutating func join(around place: Int) {
        for child in (max(0, place - 1)...place + 1).reversed() where child + 1 < children {
            let isJoined =
                isBottom
                ? leaves[child].absorb(leaves[child + 1])
                : branches[child].absorb(branches[child + 1])
            if isJoined { removeChildren(child + 1..<child + 2) }
        }
    }

    private mutating func absorb(_ next: SumBranch) -> Bool {
        guard children + next.children <= Self.limit / 2 else { return false }
        let old = children
        leaves += next.leaves
        branches += next.branches
        join(around: old)
        sumUp(from: 0)
        return true
    }

    private mutating func sumUp(from start: Int) {
        let start = min(start, marks.count)
        marks.removeSubrange(start...)
        var mark = start == 0 ? Mark(count: 0, sum: 0) : marks[start - 1]
        for child in start..<children {
            mark.count += isBottom ? leaves[child].count : branches[child].count
            mark.sum += isBottom ? leaves[child].total : branches[child].total
            marks.append(mark)
        }
    }

    /// Checks that sums are sums and sizes right, and gives the depth; O(n).
    func checkedDepth(isRoot: Bool) -> Int {
        precondition(leaves.isEmpty || branches.isEmpty, "a branch has leaves or branches")
        precondition(isRoot || children > 0, "a branch has children")
        precondition(children <= Self.limit, "a branch has no more children than it may")
        precondition(marks.count == children, "each child has its mark")
        var mark = Mark(count: 0, sum: 0)
        for child in 0..<children {
            mark.count += isBottom ? leaves[child].count : branches[child].count
            mark.sum += isBottom ? leaves[child].total : branches[child].total
            precondition(
                marks[child].count == mark.count && marks[child].sum == mark.sum,
                "a mark is the sum up to there")
        }
        for leaf in leaves { leaf.checkInvariants() }
        let depths = Set(branches.map { $0.checkedDepth(isRoot: false) })
        precondition(depths.count <= 1, "all leaves are equally deep")
        return 1 + (depths.first ?? 0)
    }
}
