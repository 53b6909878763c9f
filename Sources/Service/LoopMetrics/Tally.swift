internal import CoreMetrics

/// A counter that takes totals, and is incremented by their growth.
struct Tally {
    private let counter: Counter
    private var told = 0

    init(_ counter: Counter) {
        self.counter = counter
    }

    mutating func tell(_ sum: Int) {
        guard sum > told else { return }
        counter.increment(by: sum - told)
        told = sum
    }
}
