extension Range<Int> {
    /// Returns the first number for which a condition holds, as for all after it; O(log n).
    func partitionPoint(where holds: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
