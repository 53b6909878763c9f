import IdleLoop
import TestSupport
import Testing

/// What has gone wrong in queues like this one.
struct QueueTrapTests {
    @Test func `a job that hands itself in again waits for the next poll`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        let pipe = NonblockingPipe()
        var log: [String] = []
        try loop.watch(pipe.reading, for: .readable) { _ in
            pipe.drain()
            log.append("read")
        }
        // It takes no time, so that 50 µs of such jobs never pass.
        func again() {
            queue.submit(1) { _ in
                log.append("job")
                pipe.put()
                if log.count < 100 { again() }
                return .done
            }
        }
        again()
        try loop.run()
        #expect(log.prefix(6) == ["job", "read", "job", "read", "job", "read"])
    }

    @Test func `a stale job that hands itself in again waits for the next poll`() throws {
        let bench = try QueueBench()
        defer { bench.loop.close() }
        let pipe = NonblockingPipe()
        try bench.loop.watch(pipe.reading, for: .readable) { _ in
            pipe.drain()
            bench.note("read")
        }
        func again() {
            bench.submit("stale") {
                pipe.put()
                if bench.log.count < 100 { again() }
                return .skipped
            }
        }
        again()
        try bench.run()
        #expect(
            bench.log.filter { $0 != "stale skipped" }.prefix(3) == [
                "stale runs", "read", "stale runs",
            ])
    }

    @Test func `a thousand stale jobs cost the next one nothing`() throws {
        let bench = try QueueBench { $0.limit = 2000 }
        for key in 0..<1000 { bench.queue.submit("\(key)") { _ in .skipped } }
        bench.submit("good")
        try bench.run()
        #expect(bench.loop.statistics.idlePasses == 2)
        #expect(bench.queue.statistics.skipped == 1000)
    }

    @Test func `a hundred thousand may ask for the same key`() throws {
        let (loop, _) = try virtualLoop()
        let queue = IdleQueue<Int>(on: loop)
        var told = 0
        for _ in 0..<100_000 { queue.submit(1, onEnd: { _ in told += 1 }) { _ in .done } }
        try loop.run()
        #expect(told == 100_000)
    }

    @Test func `a job's cost is its own, not that of a worker that had nothing to do`() throws {
        let bench = try QueueBench()
        let observer = bench.loop.beforeIdle(order: 0) { _ in
            bench.time.charge(.milliseconds(5))
            return .nothing
        }
        bench.submit("a", kind: "k", taking: .milliseconds(1))
        try bench.run()
        observer.cancel()
        // Another of its kind fits where there is time for no more.
        bench.loop.schedule(after: .milliseconds(1), tolerance: .zero) { bench.note("timer") }
        bench.submit("b", kind: "k", taking: .milliseconds(1))
        try bench.run()
        #expect(bench.runs == ["a", "b"])
        #expect(bench.queue.statistics.heldBack == 0)
        #expect(bench.queue.statistics.longestJob == .milliseconds(1))
    }
}
