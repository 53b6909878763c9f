import IdleLoop
import Testing

/// What a queue can't be asked for.
struct QueueLawTests {
    @Test func `a queue holds at least one job`() async {
        await #expect(processExitsWith: .failure) { _ = try QueueBench { $0.limit = 0 } }
        await #expect(processExitsWith: .failure) { _ = try QueueBench { $0.limit = -1 } }
    }

    @Test func `a queue holds some work`() async {
        await #expect(processExitsWith: .failure) { _ = try QueueBench { $0.costLimit = .zero } }
    }

    @Test func `a slice is longer than zero`() async {
        await #expect(processExitsWith: .failure) { _ = try QueueBench { $0.slice = .zero } }
    }

    @Test func `jobs are put off for longer than zero`() async {
        await #expect(processExitsWith: .failure) { _ = try QueueBench { $0.maxDeferral = .zero } }
    }

    @Test func `a weight is one or more`() async {
        await #expect(processExitsWith: .failure) { _ = try QueueBench { $0.weight = 0 } }
        await #expect(processExitsWith: .failure) { _ = try QueueBench { $0.weight = -1 } }
    }

    @Test func `a queue has a mode in which it runs`() async {
        await #expect(processExitsWith: .failure) { _ = try QueueBench { $0.modes = [] } }
    }

    @Test func `a cost is not negative`() async {
        await #expect(processExitsWith: .failure) {
            try QueueBench().submit("a", cost: .nanoseconds(-1))
        }
        await #expect(processExitsWith: .failure) {
            _ = try QueueBench().queue.hasRoom(for: .near, cost: .nanoseconds(-1))
        }
    }

    @Test func `a timeout is not negative`() async {
        await #expect(processExitsWith: .failure) {
            try QueueBench().submit("a", timeout: .nanoseconds(-1))
        }
    }

    /// So that the others can't fail for another reason.
    @Test func `the least that may be asked for is granted`() async {
        await #expect(processExitsWith: .success) {
            let bench = try QueueBench {
                $0.limit = 1
                $0.costLimit = .nanoseconds(1)
                $0.slice = .nanoseconds(1)
                $0.maxDeferral = .nanoseconds(1)
                $0.weight = 1
                $0.modes = .tracking
            }
            bench.submit("a", cost: .zero, timeout: .zero)
            try bench.run()
            #expect(bench.log == ["a runs", "a done"])
        }
    }
}
