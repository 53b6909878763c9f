import IdleLoop
import TestSupport
import Testing

/// What happens to one job more than there is room for.
struct OverflowTests {
    @Test func `a new job is sure of its place before callbacks fill the queue`() throws {
        let bench = try QueueBench { $0.limit = 2 }
        bench.submit("a", .normal)
        bench.submit("b", .normal)
        bench.afterEnd["a"] = { bench.submit("x", .low) }
        #expect(bench.submit("c", .normal) == .queued)
        #expect(bench.log == ["a dropped", "x dropped"])
        bench.afterEnd["b"] = {
            bench.submit("y", .highest)
            bench.submit("z", .highest)
        }
        #expect(bench.submit("d", .normal) == .dropped)
        #expect(
            bench.log == [
                "a dropped", "x dropped", "b dropped", "c dropped", "d dropped",
            ])
        try bench.run()
        #expect(bench.runs == ["y", "z"])
    }
}
