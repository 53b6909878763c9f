import IdleLoop
import TestSupport
import Testing

/// The loop's turn: what is ready first, then work in the lull, then sleep.
struct TurnTests {
    @Test func `a descriptor that gets ready inside a job is served before the next job`() throws {
        let (loop, time) = try virtualLoop()
        let queue = IdleQueue<Int>(on: loop, configuration: .roomy)
        let pipe = NonblockingPipe()
        var log: [String] = []
        try loop.watch(pipe.reading, for: .readable) { _ in
            pipe.drain()
            log.append("read")
        }
        for job in 0..<1000 {
            queue.submit(job) { _ in
                time.at(time.now.advanced(by: .microseconds(25))) { pipe.put() }
                time.charge(.microseconds(50 + job % 7))
                log.append("job \(job)")
                return .done
            }
        }
        try loop.run()
        #expect(log == (0..<1000).flatMap { ["job \($0)", "read"] })
    }

    @Test func `tiny jobs go on for 50 µs between two polls`() throws {
        let (loop, time) = try virtualLoop()
        let queue = IdleQueue<Int>(on: loop, configuration: .roomy)
        for job in 0..<100 {
            queue.submit(job) { _ in
                time.charge(.microseconds(10))
                return .done
            }
        }
        try loop.run()
        // 20 lulls of 5 jobs, and one that finds nothing and would sleep for ever.
        #expect(loop.statistics.idlePasses == 21)
        #expect(time.now == .microseconds(1000))
    }

    @Test func `tiny jobs end when a timer is due`() throws {
        let (loop, time) = try virtualLoop()
        let queue = IdleQueue<Int>(on: loop, configuration: .roomy)
        var log: [String] = []
        loop.schedule(at: .microseconds(20)) { log.append("timer") }
        for job in 0..<4 {
            queue.submit(job) { _ in
                time.charge(.microseconds(10))
                log.append("job")
                return .done
            }
        }
        try loop.run()
        #expect(log == ["job", "job", "timer", "job", "job"])
    }

    @Test func `descriptors come before timers, and both before jobs`() throws {
        let (loop, time) = try virtualLoop()
        let queue = IdleQueue<Int>(on: loop)
        let pipe = NonblockingPipe()
        var log: [String] = []
        try loop.watch(pipe.reading, for: .readable) { _ in
            pipe.drain()
            log.append("read")
        }
        queue.submit(1) { _ in
            pipe.put()
            time.charge(.milliseconds(5))
            log.append("long job")
            return .done
        }
        queue.submit(2) { _ in
            log.append("next job")
            return .done
        }
        loop.schedule(at: .milliseconds(3)) { log.append("timer") }
        try loop.run()
        #expect(log == ["long job", "read", "timer", "next job"])
    }

    @Test func `a loop with nothing to do makes no turn`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        queue.submit(1) { _ in .done }
        loop.schedule(after: .milliseconds(1)) {}
        loop.schedule(after: .milliseconds(2)) { loop.stop() }
        try loop.run()
        // All is done. A post ends the next run: one turn that sleeps until it comes.
        let before = loop.statistics
        let inbox = loop.inbox
        loop.observe(.beforeIdle, repeats: false) { _ in inbox.post { $0.stop() } }
        try loop.run()
        #expect(loop.statistics.turns == before.turns + 1)
        #expect(loop.statistics.sleeps == before.sleeps + 1)
    }

    @Test func `stopping inside a job runs no other`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        for job in 0..<3 {
            queue.submit(job) { _ in
                loop.stop()
                return .done
            }
        }
        try loop.run()
        #expect(queue.count == 2)
        try loop.run()
        #expect(queue.count == 1)
    }

    @Test func `a run until a moment includes that moment`() throws {
        let (loop, time) = try virtualLoop()
        var fired: [Int] = []
        for moment in [9, 10, 11] {
            loop.schedule(at: .milliseconds(moment)) { fired.append(moment) }
        }
        try loop.run(until: .milliseconds(10))
        #expect(fired == [9, 10])
        #expect(time.now == .milliseconds(10))
        try loop.run()
        #expect(fired == [9, 10, 11])
    }

    @Test func `two runs on virtual time give the same log`() throws {
        #expect(try randomDay(seed: 7) == randomDay(seed: 7))
        #expect(try randomDay(seed: 7) != randomDay(seed: 8))
    }

    private func randomDay(seed: UInt64) throws -> [String] {
        let (loop, time) = try virtualLoop()
        let queue = IdleQueue<Int>(on: loop, configuration: .roomy)
        let pipe = NonblockingPipe()
        var random = SplitMix64(seed: seed)
        var log: [String] = []
        func note(_ text: String) { log.append("\(time.now.nanoseconds) \(text)") }
        try loop.watch(pipe.reading, for: .readable) { _ in note("read \(pipe.drain())") }
        for index in 0..<300 {
            let moment = Instant(nanoseconds: .random(in: 0..<100_000_000, using: &random))
            let cost = Duration.nanoseconds(Int64.random(in: 0..<5_000_000, using: &random))
            switch index % 3 {
            case 0: time.at(moment) { pipe.put() }
            case 1: loop.schedule(at: moment) { note("timer \(index)") }
            default:
                loop.schedule(at: moment) {
                    queue.submit(index % 20, rank: index % 5) { slot in
                        time.charge(min(cost, slot.now.duration(to: slot.sliceEnd)))
                        note("job \(index)")
                        return .done
                    }
                }
            }
        }
        try loop.run()
        return log
    }
}

extension QueueConfiguration {
    /// Room for all that a test hands in.
    static var roomy: Self {
        var configuration = Self()
        configuration.limit = 1_000_000
        return configuration
    }

    @Test func `what is posted before idle is done before virtual time moves on`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let (log, inbox) = (SharedLog(), loop.inbox)
        loop.observe(.beforeIdle, repeats: false) { _ in
            inbox.post { log.add("post at \($0.clock.now.nanoseconds)") }
        }
        loop.schedule(at: .seconds(1)) { log.add("timer") }
        try loop.run()
        #expect(log.lines == ["post at 0", "timer"])
    }
}
