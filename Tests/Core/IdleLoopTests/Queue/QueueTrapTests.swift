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

    @Test func `a job that has its queue rest is the last one`() throws {
        let (loop, time) = try virtualLoop()
        var configuration = QueueConfiguration()
        configuration.modes = .default
        let queue = IdleQueue<Int>(on: loop, configuration: configuration)
        var log: [Int] = []
        for key in 0..<3 {
            queue.submit(key) { _ in
                time.charge(.microseconds(1))
                log.append(key)
                if key == 1 { loop.mode = .tracking }
                return .done
            }
        }
        try loop.run()
        #expect(log == [0, 1])
        loop.mode = .default
        try loop.run()
        #expect(log == [0, 1, 2])
    }

    @Test func `a hundred thousand may ask for the same key`() throws {
        let (loop, _) = try virtualLoop()
        let queue = IdleQueue<Int>(on: loop)
        var told = 0
        for _ in 0..<100_000 { queue.submit(1, onEnd: { _ in told += 1 }) { _ in .done } }
        try loop.run()
        #expect(told == 100_000)
    }

    @Test func `work that comes in after the queue has been idle for long still runs`() throws {
        let bench = try QueueBench()
        for second in [1, 10, 1000] {
            bench.loop.schedule(at: .milliseconds(second * 1000)) { bench.submit("\(second)") }
        }
        try bench.run()
        #expect(bench.runs == ["1", "10", "1000"])
        #expect(bench.time.now == .milliseconds(1_000_000))
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
        #expect(bench.queue.expectedCost(of: "k") == .milliseconds(1))
        #expect(bench.queue.statistics.longestJob == .milliseconds(1))
    }
}

/// What a closure holds may call the loop as it's let go of.
struct LastWordTests {
    private final class Owner {
        let loop: MainLoop
        var onEnd: () -> Void = {}

        init(on loop: MainLoop) { self.loop = loop }

        deinit { onEnd() }
    }

    @Test func `a timer's closure may cancel timers as it goes`() throws {
        let (loop, _) = try virtualLoop()
        let other = loop.schedule(at: .milliseconds(5)) {}
        let owner = Owner(on: loop)
        owner.onEnd = { other.cancel() }
        let timer = loop.schedule(at: .milliseconds(1)) { [owner] in _ = owner }
        _ = consume owner
        #expect(timer.cancel())
        #expect(!other.cancel())
    }

    @Test func `an observer's closure may take others off the loop as it goes`() throws {
        let (loop, time) = try virtualLoop()
        var calls = 0
        let other = loop.observe(.beforeIdle) { _ in calls += 1 }
        let owner = Owner(on: loop)
        owner.onEnd = { other.cancel() }
        var worker: Observer?
        worker = loop.beforeIdle { [owner] _ in
            _ = owner
            worker?.cancel()
            worker = nil
            return .nothing
        }
        _ = consume owner
        loop.schedule(at: .milliseconds(1)) {}
        try loop.run()
        #expect(calls == 1)
        #expect(time.now == .milliseconds(1))
    }

    @Test func `a job's closure may cancel jobs as it goes`() throws {
        let (loop, _) = try virtualLoop()
        let queue = IdleQueue<String>(on: loop)
        let owner = Owner(on: loop)
        owner.onEnd = { [unowned queue] in queue.cancel("second") }
        queue.submit("first") { [owner] _ in
            _ = owner
            return .done
        }
        queue.submit("second") { _ in .done }
        _ = consume owner
        queue.cancel("first")
        #expect(queue.isEmpty)
        queue.checkInvariants()
    }

    @Test func `a loop that is closed lets go of closures that call it`() throws {
        let (loop, _) = try virtualLoop()
        let owner = Owner(on: loop)
        owner.onEnd = { [unowned loop] in loop.schedule(at: .zero) {}.cancel() }
        let other = loop.observe(.exit) { _ in }
        owner.onEnd = { other.cancel() }
        loop.schedule(at: .milliseconds(1)) { [owner] in _ = owner }
        _ = consume owner
        loop.close()
        #expect(!other.isActive)
    }
}
