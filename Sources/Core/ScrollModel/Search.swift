/// Returns the median of some numbers, the mean of the middle two for an even count; 0 for none.
///
/// O(n log n).
func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

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

/// Finds the minimum of a unimodal function, by golden-section search; one evaluation per step.
func goldenMinimum(
    in range: ClosedRange<Double>, steps: Int, of function: (Double) -> Double
) -> Double {
    let share = (5.0.squareRoot() - 1) / 2
    var (low, high) = (range.lowerBound, range.upperBound)
    var (left, right) = (high - share * (high - low), low + share * (high - low))
    var (atLeft, atRight) = (function(left), function(right))
    for _ in 2..<max(2, steps) {
        if atLeft <= atRight {
            (high, right, atRight) = (right, left, atLeft)
            left = high - share * (high - low)
            atLeft = function(left)
        } else {
            (low, left, atLeft) = (left, right, atRight)
            right = low + share * (high - low)
            atRight = function(right)
        }
    }
    return atLeft <= atRight ? left : right
}
