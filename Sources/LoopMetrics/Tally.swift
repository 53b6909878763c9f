internal import CoreMetrics

/// A counter that is told sums, and hands on by how much they have grown.
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
