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
}
