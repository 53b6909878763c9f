#if Metrics
internal import CoreMetrics

/// A counter that takes totals, and is incremented by their growth.
struct Tally {
    private let counter: Counter
    private var reported = 0

    init(_ counter: Counter) {
        self.counter = counter
    }

    mutating func tell(_ sum: Int) {
        guard sum > reported else { return }
        counter.increment(by: sum - reported)
        reported = sum
    }
}
#endif
