import IdleLoop
import Testing

/// What a queue may be asked for at the least.
struct QueueLawTests {
    @Test func `the least that may be asked for is granted`() throws {
        let bench = try QueueBench {
            $0.limit = 1
            $0.costLimit = .nanoseconds(1)
            $0.slice = .nanoseconds(1)
            $0.maxDeferral = .nanoseconds(1)
            $0.weight = 1
            $0.modes = .tracking
        }
        bench.loop.mode = .tracking
        bench.submit("a", cost: .zero, timeout: .zero)
        try bench.run()
        #expect(bench.log == ["a runs", "a done"])
    }
}
