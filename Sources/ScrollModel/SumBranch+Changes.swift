// How numbers change, come and go; what is divided or joined on the way.
extension SumBranch {
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
}
