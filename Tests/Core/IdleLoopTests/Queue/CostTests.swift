import TestSupport
import Testing

@testable import IdleLoop

/// What is learned of costs, at the edges.
struct CostTests {
    private let edges: [Int64] = [
        0, 1, 2, 3, 49_999, 50_000, 1_000_000, .max / 4, .max / 2, .max - 1, .max,
    ]

    @Test func `the first is expected to come again, and so is what always comes`() throws {
        for cost in edges {
            var estimate: MeanDeviation<Int64>?
            for _ in 0..<100 {
                estimate.learn(.nanoseconds(cost))
                // Quarters are rounded, four times.
                let expected = try #require(estimate?.expectedDuration)
                #expect(expected <= .nanoseconds(cost))
                #expect(expected >= .nanoseconds(max(0, cost - 12)))
            }
        }
    }

    @Test(arguments: seeds(0..<50))
    func `the greatest costs overflow nothing`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var estimate: MeanDeviation<Int64>?
        for _ in 0..<200 {
            estimate.learn(.nanoseconds(edges.randomElement(using: &random) ?? 0))
            #expect((estimate?.expectedDuration ?? .zero) >= .zero)
        }
        // More than fit into the count of nanoseconds are its greatest.
        estimate.learn(.seconds(Int64.max))
        #expect((estimate?.expectedDuration ?? .zero) > .zero)
    }

    // MARK: - Hints

    @Test func `hints of less than the loop's own time teach nothing`() {
        var error = HintCorrection()
        for _ in 0..<256 { error.learn(.milliseconds(1), hint: .nanoseconds(49_999)) }
        #expect(error.corrected(.milliseconds(1)) == .milliseconds(1))
    }

    @Test(arguments: seeds(0..<20))
    func `the third greatest quotient of 256 corrects`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var error = HintCorrection()
        var last = [Int](repeating: 1024, count: 256)
        for step in 0..<600 {
            let hint = Int.random(in: 50_000...5_000_000, using: &random)
            let cost = Int.random(in: 0...10_000_000, using: &random)
            error.learn(.nanoseconds(cost), hint: .nanoseconds(hint))
            last.removeFirst()
            last.append(min(cost * 1024 / hint, 64 * 1024))
            guard step % 8 == 0 else { continue }
            let third = last.sorted(by: >)[2]
            #expect(error.corrected(.nanoseconds(1024)) == .nanoseconds(third))
        }
    }

    @Test func `the greatest hints and costs overflow nothing`() {
        for cost in edges {
            for hint in edges {
                var error = HintCorrection()
                for _ in 0..<256 { error.learn(.nanoseconds(cost), hint: .nanoseconds(hint)) }
                for other in edges { #expect(error.corrected(.nanoseconds(other)) >= .zero) }
            }
        }
    }

    @Test func `a hint that was far too small makes a great one greater, not smaller`() {
        var error = HintCorrection()
        for _ in 0..<64 { error.learn(.seconds(1), hint: .milliseconds(1)) }
        #expect(error.corrected(.milliseconds(1)) == .milliseconds(64))
        for hint in edges {
            #expect(error.corrected(.nanoseconds(hint)) >= .nanoseconds(hint))
        }
    }
}

// The queue counts in nanoseconds; a test reads better in durations.
extension MeanDeviation<Int64>? {
    fileprivate mutating func learn(_ cost: Duration) {
        add(cost.wholeNanoseconds, firstDeviation: 0)
    }
}

extension MeanDeviation<Int64> {
    fileprivate var expectedDuration: Duration { .nanoseconds(expected) }
}

extension HintCorrection {
    fileprivate func corrected(_ hint: Duration) -> Duration {
        .nanoseconds(corrected(hint.wholeNanoseconds))
    }

    fileprivate mutating func learn(_ cost: Duration, hint: Duration) {
        learn(cost.wholeNanoseconds, hint: hint.wholeNanoseconds)
    }
}
