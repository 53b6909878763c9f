import IdleLoop
import Testing

/// Durations that are the differences of two times, and may be negative.
struct NegativeNumberTests {
    @Test func `a negative cost, timeout, tolerance or time to finish counts as zero`() throws {
        let bench = try QueueBench()
        let before = Duration.seconds(-1)
        bench.submit("costs nothing", cost: before)
        bench.submit("is late", timeout: before)
        bench.loop.schedule(after: before, tolerance: before) { bench.note("timer") }
        let start = bench.time.now.advanced(by: .seconds(1))
        let frames = bench.loop.frames(every: .seconds(1), from: start, tolerance: before) { _ in
            bench.note("frame")
            bench.queue.shutDown(within: before) { _ in bench.note("over") }
            bench.loop.stop()
        }
        defer { frames.cancel() }
        try bench.run()
        for text in ["costs nothing done", "is late done", "timer", "frame", "over"] {
            #expect(bench.log.contains(text), "\(text)")
        }
        bench.loop.close()
    }
}
