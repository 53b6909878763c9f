/// Running sums of whole numbers, of which any may change.
///
/// Node `i`, counted from 1, holds the sum of the `i & -i` values that end with value `i`; so a
/// sum, a change and a search each visit one node per bit of the count. (Fenwick 1994, "A new
/// data structure for cumulative frequency tables".)
///
/// The values are never negative, so the sums never fall and can be searched. The owner sees to
/// that, and to it that no sum overflows.
struct FenwickTree: Sendable, Equatable {
    private var nodes: [Int64]

    /// Takes the values over and sums them in place, in O(n).
    init(_ values: [Int64]) {
        nodes = values
        for node in 1..<max(1, nodes.count + 1) {
            let parent = node + (node & -node)
            if parent <= nodes.count { nodes[parent - 1] += nodes[node - 1] }
        }
    }

    /// The sum of the first `count` values; O(log n).
    func sum(ofFirst count: Int) -> Int64 {
        var sum: Int64 = 0
        var node = count
        while node > 0 {
            sum += nodes[node - 1]
            node &= node - 1
        }
        return sum
    }

    /// One value, won back from the sums: two steps on average, O(log n) at worst.
    subscript(index: Int) -> Int64 {
        var value = nodes[index]
        var node = index
        let stop = (index + 1) & index
        while node > stop {
            value -= nodes[node - 1]
            node &= node - 1
        }
        return value
    }

    /// Changes one value by `difference`; O(log n).
    mutating func add(_ difference: Int64, at index: Int) {
        var node = index + 1
        while node <= nodes.count {
            nodes[node - 1] += difference
            node += node & -node
        }
    }

    /// How many values from the first on can be summed without exceeding `limit`, at most.
    ///
    /// This is the index of the first value whose running sum is above the limit. O(log n).
    func count(whileSumAtMost limit: Int64) -> Int {
        var count = 0
        var rest = limit
        var step = 1 << (Int.bitWidth - 1 - max(1, nodes.count).leadingZeroBitCount)
        while step > 0 {
            let node = count + step
            if node <= nodes.count, nodes[node - 1] <= rest {
                rest -= nodes[node - 1]
                count = node
            }
            step >>= 1
        }
        return count
    }
}
