import IdleLoop
import TestSupport
import Testing

/// Jobs that don't wait for a lull for ever: by their own timeout, or by their queue's deferral.
struct TimeoutTests {
    /// A queue on a loop that is never idle: each poll finds a descriptor ready, which takes 1 ms.
    private final class BusyBench {
        let bench: QueueBench
        let pipe = NonblockingPipe()
        var polls = 0

        init(
            polls limit: Int,
            _ configure: (inout QueueConfiguration) -> Void = { _ in }
        ) throws {
            bench = try QueueBench(configure)
            pipe.put()
            try bench.loop.watch(pipe.reading, for: .readable) { [unowned self] _ in
                polls += 1
                bench.note("read")
                bench.time.charge(.milliseconds(1))
                if polls == limit { bench.loop.stop() }
            }
        }

        func run() throws {
            try bench.run()
            #expect(bench.loop.statistics.idlePasses == 0)
        }

        func close() {
            bench.queue.close()
            bench.loop.close()
        }

        /// After how many reads each job ran.
        var runs: [String: Int] {
            var reads = 0
            var runs: [String: Int] = [:]
            for line in bench.log {
                if line == "read" { reads += 1 }
                if line.hasSuffix(" runs") { runs[String(line.dropLast(5))] = reads }
            }
            return runs
        }
    }

    // MARK: - A job's own timeout

    @Test func `a job past its timeout runs though the loop is never idle`() throws {
        let busy = try BusyBench(polls: 50)
        defer { busy.close() }
        busy.bench.submit("patient", .highest)
        busy.bench.submit("waits", timeout: .milliseconds(20))
        busy.bench.submit("at once", timeout: .zero)
        try busy.run()
        #expect(busy.runs == ["at once": 1, "waits": 20])
        #expect(busy.bench.queue.statistics.timedOut == 2)
    }

    @Test func `its slot says so, and leaves it no time`() throws {
        let (loop, time) = try virtualLoop()
        let queue = IdleQueue<Int>(on: loop)
        loop.schedule(at: .zero) { time.charge(.milliseconds(5)) }
        loop.schedule(at: .milliseconds(6), tolerance: .zero) {}
        var log: [String] = []
        queue.submit(1, cost: .milliseconds(9), timeout: .milliseconds(5)) { slot in
            log.append("\(slot.didTimeout) \(slot.timeRemaining)")
            // What is due at 6 ms doesn't end its slice.
            let (start, now, end) = (slot.start, slot.now, slot.sliceEnd)
            #expect([start, now, end] == [5, 5, 7].map(Instant.milliseconds))
            return .done
        }
        queue.submit(2, timeout: .milliseconds(50)) { slot in
            log.append("\(slot.didTimeout) \(slot.timeRemaining)")
            return .done
        }
        try loop.run()
        #expect(log == ["true 0.0 seconds", "false 0.001 seconds"])
    }

    @Test func `a job past its timeout runs though it doesn't fit`() throws {
        let bench = try QueueBench()
        let frames = bench.loop.frames(every: .milliseconds(10), tolerance: .zero) { _ in }
        var start: Instant?
        bench.submit("long", cost: .milliseconds(12), timeout: .milliseconds(7)) {
            start = bench.time.now
            bench.time.charge(.milliseconds(12))
            frames.cancel()
            return .done
        }
        try bench.run()
        #expect(start == .milliseconds(7))
        #expect(bench.queue.statistics.overruns == 1)
        #expect(bench.queue.statistics.timedOut == 1)
    }

    @Test func `the earliest timeout comes first, with a poll before the next`() throws {
        let busy = try BusyBench(polls: 20)
        defer { busy.close() }
        // All are over at 5 ms, when a read that took long is done.
        busy.bench.loop.schedule(at: .zero) { busy.bench.time.charge(.milliseconds(5)) }
        for (key, timeout) in [("c", 3), ("a", 1), ("d", 3), ("b", 2)] {
            busy.bench.submit(key, .lowest, timeout: .milliseconds(timeout))
        }
        try busy.run()
        #expect(busy.bench.runs == ["a", "b", "c", "d"])
        let places = busy.runs
        #expect(Set(places.values).count == 4)
    }

    @Test func `what's left of a job that timed out doesn't wait for a lull either`() throws {
        let busy = try BusyBench(polls: 30)
        defer { busy.close() }
        busy.bench.queue.submit("sliced", timeout: .milliseconds(5)) { _ in
            busy.bench.note("slice")
            return busy.bench.log.count { $0 == "slice" } < 4 ? .again : .done
        }
        try busy.run()
        #expect(busy.bench.queue.statistics.done == 1)
        // A poll comes between two slices.
        #expect(
            !zip(busy.bench.log, busy.bench.log.dropFirst()).contains { $0 == ("slice", "slice") })
    }

    @Test func `a job that has begun and is kept waiting runs after its timeout, too`() throws {
        let bench = try QueueBench()
        bench.submit("urgent", .normal, slices: 100)
        var slices: [Instant] = []
        bench.queue.submit("sliced", priority: .higher, timeout: .milliseconds(30)) { slot in
            #expect(slot.didTimeout == (slices.count > 0))
            slices.append(slot.now)
            if slices.count == 1 {
                bench.queue.reprioritize("sliced", priority: .lowest)
                bench.time.charge(.milliseconds(2))
            }
            return slices.count < 3 ? .again : .done
        }
        try bench.run()
        // It waits for 30 ms after its first slice, and then no more.
        #expect(slices == [.zero, .milliseconds(32), .milliseconds(32)])
        #expect(bench.queue.statistics.timedOut == 2)
    }

    @Test func `at the end of time no job has a timeout any more`() throws {
        let bench = try QueueBench { $0.modes = .tracking }
        bench.time.charge(.nanoseconds(.max - 5_000_000))
        var slices = 0
        bench.submit("sliced", timeout: .milliseconds(1), taking: .milliseconds(2)) {
            slices += 1
            return slices < 10 ? .again : .done
        }
        try bench.run()
        // The third begins when there is no later moment.
        #expect(slices == 3 && bench.queue.count == 1)
    }

    @Test func `a timeout counts from when the job was handed in, on a worker too`() throws {
        let busy = try BusyBench(polls: 40)
        defer { busy.close() }
        let pool = try WorkerPool(width: 1, on: busy.bench.loop)
        for (key, cost) in [("brought late", 25), ("brought early", 5)] {
            busy.bench.queue.submit(
                key, on: pool, cost: .milliseconds(cost), timeout: .milliseconds(20), work: { 1 }
            ) { _ in
                { slot in
                    busy.bench.note("\(key) runs")
                    let didTimeout = slot.didTimeout
                    #expect(didTimeout)
                    return .done
                }
            }
        }
        try busy.run()
        #expect(busy.bench.runs == ["brought late", "brought early"])
        #expect(busy.runs["brought late"] ?? 0 >= 25)
        #expect(busy.runs["brought early"] ?? 0 >= 30)
    }

    @Test func `a join with a sooner timeout is heeded, one with a later isn't`() throws {
        let busy = try BusyBench(polls: 60)
        defer { busy.close() }
        busy.bench.submit("sooner", timeout: .milliseconds(40))
        busy.bench.submit("later", timeout: .milliseconds(10))
        busy.bench.submit("first", .normal)
        #expect(busy.bench.submit("sooner", timeout: .milliseconds(15)) == .joined)
        #expect(busy.bench.submit("later", timeout: .milliseconds(50)) == .joined)
        #expect(busy.bench.submit("first", timeout: .milliseconds(5)) == .joined)
        try busy.run()
        #expect(busy.runs == ["first": 5, "later": 10, "sooner": 15])
    }

    // MARK: - What is left of it

    @Test func `a job that ran in time leaves no timer`() throws {
        let bench = try QueueBench()
        bench.submit("a", timeout: .seconds(10))
        bench.submit("b", timeout: .seconds(20))
        bench.submit("sliced", timeout: .seconds(5)) {
            bench.runs.count < 5 ? .again : .done
        }
        bench.loop.schedule(at: .milliseconds(3)) {}
        try bench.run()
        #expect(bench.runs == ["a", "b", "sliced", "sliced", "sliced"])
        #expect(bench.time.now == .milliseconds(3))
        #expect(bench.queue.statistics.timedOut == 0)
    }

    @Test func `nor does one that was cancelled, dropped, or closed with its queue`() throws {
        let bench = try QueueBench {
            $0.limit = 2
            $0.modes = .default
        }
        bench.loop.mode = .tracking  // it rests, so that nothing runs
        bench.submit("cancelled", timeout: .seconds(10))
        bench.queue.cancel("cancelled")
        bench.submit("dropped", .low, timeout: .seconds(20))
        bench.submit("a", .highest)
        bench.submit("b", .highest)
        bench.loop.schedule(at: .milliseconds(3)) {}
        try bench.run()
        #expect(bench.time.now == .milliseconds(3))
        bench.submit("c", .highest, timeout: .seconds(30))
        bench.queue.close()
        try bench.run()
        #expect(bench.time.now == .milliseconds(3))
        #expect(bench.runs.isEmpty)
    }

    // MARK: - The queue's deferral

    @Test func `after the deferral one job runs in each pass`() throws {
        let busy = try BusyBench(polls: 60) { $0.maxDeferral = .milliseconds(20) }
        defer { busy.close() }
        for key in 0..<10 { busy.bench.submit("\(key)", rank: key) }
        try busy.run()
        let places = (0..<10).compactMap { busy.runs["\($0)"] }
        #expect(places == Array(20..<30))
        #expect(busy.bench.queue.statistics.timedOut == 10)
    }

    @Test func `after the deferral jobs run for a batch, and then for half as long as a pass`()
        throws
    {
        let busy = try BusyBench(polls: 60) {
            $0.maxDeferral = .milliseconds(20)
            $0.batch = .microseconds(300)
        }
        defer { busy.close() }
        for key in 0..<10 {
            busy.bench.submit("\(key)", rank: key) {
                busy.bench.time.charge(.microseconds(200))
                return .done
            }
        }
        try busy.run()
        let places = (0..<10).compactMap { busy.runs["\($0)"] }
        #expect(places == [20, 20, 21, 21, 21, 22, 22, 22, 23, 23])
        #expect(busy.bench.queue.statistics.timedOut == 10)
    }

    @Test func `after a pass that took seconds jobs run no longer than after a long one`() throws {
        let busy = try BusyBench(polls: 25) {
            $0.maxDeferral = .milliseconds(20)
            $0.batch = .microseconds(50)
        }
        defer { busy.close() }
        var slices: [Int] = []
        busy.bench.submit("goes on") {
            slices.append(busy.polls)
            busy.bench.time.charge(.milliseconds(busy.polls == 20 ? 1 : 10))
            return slices.count == 12 ? .done : .again
        }
        // In the pass after the first deferral the process is stopped.
        busy.bench.loop.schedule(at: .microseconds(20_500)) {
            busy.bench.time.charge(.seconds(3))
        }
        try busy.run()
        let counts = Dictionary(grouping: slices) { $0 }.mapValues(\.count)
        #expect(counts.values.max() == 3, "\(counts)")
    }

    @Test func `a job that hands itself in again is put off no less`() throws {
        let busy = try BusyBench(polls: 100) { $0.maxDeferral = .milliseconds(20) }
        defer { busy.close() }
        func again() {
            busy.bench.submit("again") {
                again()
                return .done
            }
        }
        again()
        try busy.run()
        // From the 20th pass on one in each.
        #expect(busy.bench.runs.count == 81)
        let pairs = zip(busy.bench.log, busy.bench.log.dropFirst())
        #expect(!pairs.contains { $0.hasSuffix("runs") && $1.hasSuffix("runs") })
    }

    @Test func `a backlog goes by urgency, however long the rest has waited for lulls`() throws {
        let bench = try QueueBench { $0.maxDeferral = .milliseconds(20) }
        for key in 0..<20 {
            bench.submit("\(key)", key < 10 ? .low : .normal, taking: .milliseconds(5))
        }
        try bench.run()
        #expect(bench.runs == (Array(10..<20) + Array(0..<10)).map { "\($0)" })
        #expect(bench.queue.statistics.timedOut == 0)
    }

    @Test func `a lull begins the deferral anew`() throws {
        let bench = try QueueBench { $0.maxDeferral = .milliseconds(20) }
        let pipe = NonblockingPipe()
        try bench.loop.watch(pipe.reading, for: .readable) { _ in
            bench.note("read")
            bench.time.charge(.milliseconds(1))
            if bench.log.count == 16 { pipe.drain() }
            if bench.log.count > 60 { bench.loop.stop() }
        }
        for key in 0..<3 {
            bench.submit("\(key)") {
                if key == 0 { pipe.put() }
                return .done
            }
        }
        pipe.put()
        // Fifteen reads, a lull for the first job, twenty reads, the others.
        try bench.run()
        let reads = bench.log.split { $0 != "read" }.map(\.count)
        #expect(reads.first == 16)
        #expect(reads.dropFirst().first == 20)
        #expect(bench.queue.statistics.timedOut == 2)
        bench.loop.close()
    }

    @Test func `a deferral doesn't run the jobs of a queue that rests`() throws {
        let busy = try BusyBench(polls: 60) {
            $0.maxDeferral = .milliseconds(10)
            $0.modes = .default
        }
        defer { busy.close() }
        busy.bench.loop.mode = .tracking
        busy.bench.submit("rests", .highest)
        busy.bench.loop.schedule(at: .milliseconds(30)) { busy.bench.loop.mode = .default }
        try busy.run()
        // Put off anew from when it might run again.
        #expect(busy.runs == ["rests": 40])
    }

    @Test func `a job that an idle loop holds back for an hour doesn't have it woken for that`()
        throws
    {
        let bench = try QueueBench { $0.maxDeferral = .milliseconds(1) }
        bench.loop.schedule(after: .seconds(3600), tolerance: .milliseconds(1)) {}
        bench.submit("held", cost: .seconds(7200))
        try bench.loop.run(until: Instant.zero.advanced(by: .seconds(3599)))
        // Of 3,599,000 moments at which the queue might look, each is twice as far as the one before.
        #expect(bench.loop.statistics.sleeps < 30)
        #expect(bench.runs == [])
        // One that is handed in is put off no longer for it, where the loop is never idle again.
        let pipe = NonblockingPipe()
        let begun = bench.time.now
        try bench.loop.watch(pipe.reading, for: .readable) { _ in
            bench.time.charge(.microseconds(100))
        }
        pipe.put()
        bench.submit("short", .highest) {
            bench.loop.stop()
            return .done
        }
        try bench.run()
        #expect(begun.duration(to: bench.time.now) <= .milliseconds(2))
        bench.loop.close()
    }

    @Test func `a deferral leaves no timer when there's nothing to put off`() throws {
        let bench = try QueueBench {
            $0.maxDeferral = .seconds(1)
            $0.modes = .default
        }
        bench.submit("a")
        try bench.run()
        #expect(bench.runs == ["a"])
        #expect(bench.time.now == .zero)
        bench.submit("b")
        bench.queue.cancel("b")
        try bench.run()
        #expect(bench.time.now == .zero)
        bench.loop.mode = .tracking
        bench.submit("rests")
        try bench.run()
        #expect(bench.time.now == .zero)
        bench.queue.close()
    }
}
