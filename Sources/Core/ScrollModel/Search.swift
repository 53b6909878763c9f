extension RandomAccessCollection where Index == Int {
    /// Returns the index of the first element that satisfies a predicate, if all such elements come
    /// last; O(log n).
    package func partitionPoint(where fits: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if fits(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
